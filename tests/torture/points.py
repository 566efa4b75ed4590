"""The kill points between two durable effects: where each is in the code, and what it separates.

A point is a line that carries its name in a comment (see `markers`): just before it runs, or just before its `with`
block is left (for a transaction that is: all is written, nothing committed). The product does nothing for these points.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Literal, cast

from tests.torture import markers, places
from tests.torture.markers import Place

How = Literal["before", "leaving"]


@dataclass(frozen=True, slots=True)
class Point:
    """One line of one function.

    `how`: "before" the line runs, or "leaving" its `with` block. `when`: only if the local variables are like this.
    `during`: under load ("work"); at a start, after a kill ("start") or on an older database ("migration"); during
    the compaction of old logs ("compaction"); when an embedding model goes away or returns ("pause"); when a project
    switches to another one ("switch").
    `often`: after about how many passes a kill is most telling.
    """

    name: str
    how: How
    before: str
    after: str
    when: Callable[[places.Local], bool] | None = None
    during: places.During = "work"
    often: int = 4

    @property
    def place(self) -> Place:
        """Its place in the imported product. Raises LookupError unless it is marked exactly once."""
        if self.name in places.OUTSIDE:
            return _quoted(*places.OUTSIDE[self.name])
        return markers.only(self.name, _marked().get(self.name, ()))

    def is_here(self, code: CodeType, offset: int) -> bool:
        """Whether this instruction is the right one: a `with` statement's line comes again at its end."""
        number = self.place.line
        first = min(start for start, _, line in code.co_lines() if line == number)
        return (offset > first) == (self.how == "leaving")


def has_line(code: CodeType, number: int) -> bool:
    """Whether a line belongs to the code itself, and not only to a comprehension in it."""
    return not code.co_name.startswith("<") and any(line == number for _, _, line in code.co_lines())


@cache
def _marked() -> Mapping[str, Sequence[Place]]:
    return markers.marked(markers.packages("app", "migrations"))


@cache
def _quoted(file: str, function: str, text: str) -> Place:
    """The only line of a library function that contains this text."""
    package, _, rest = file.partition("/")
    [path] = [folder / rest for folder in markers.packages(package)]
    source = path.read_text(encoding="utf-8")
    [found] = [node for node in ast.walk(ast.parse(source)) if getattr(node, "name", None) == function]
    assert isinstance(found, ast.FunctionDef)
    numbers = range(found.lineno, (found.end_lineno or 0) + 1)
    lines = source.splitlines()
    return markers.only(text, [Place(path, number) for number in numbers if text in lines[number - 1]])


def _read(table: str) -> Iterator[Point]:
    for row in table.strip().splitlines():
        name, how, before, after = row.split(" | ")
        during = places.DURING.get(name.partition(".")[0], "work")
        often = places.OFTEN.get(name, 4 if during == "work" else 1)
        yield Point(name, cast("How", how), before, after, places.WHEN.get(name), during, often)


def points_on(dialect: places.Dialect) -> list[Point]:
    """The points that a server on such a database passes."""
    return [point for point in POINTS if places.ONLY_ON.get(point.name, dialect) == dialect]


POINTS = tuple(_read(places.TABLE))
BY_NAME = {point.name: point for point in POINTS}
