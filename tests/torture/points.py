"""The points between two durable effects at which a server is killed: where each is in the code, and what it divides.

A point is a line, named by a piece of its text: just before it runs, or just before its `with` block is left (for a
transaction that is: all is written, nothing committed). Nothing in the product knows of these points.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Literal, cast

from tests.torture import places

How = Literal["before", "leaving"]

BEGIN = "async with self._database.begin() as db:"


@dataclass(frozen=True, slots=True)
class Point:
    """One line of one function.

    `how`: "before" the line runs, or "leaving" its `with` block. `when`: only there with such local variables.
    `during`: under load ("work"); while the server starts, after a kill ("start") or on an older database
    ("migration"); while old logs are made short ("compaction"); when an embedding model goes away or is back ("pause").
    `often`: about how many times it is passed before a kill there tells most.
    """

    name: str
    before: str
    after: str
    file: str
    function: str
    how: How
    line: str
    when: Callable[[places.Local], bool] | None = None
    during: places.During = "work"
    often: int = 4

    def is_in(self, code: CodeType) -> bool:
        """Whether this code is the point's function."""
        return code.co_qualname == self.function and code.co_filename.endswith(self.file)

    def number(self, code: CodeType, source: list[str]) -> int:
        """The line's number, in the lines of the file. Raises LookupError unless it is there once."""
        last = max(line for _, _, line in code.co_lines() if line is not None)
        found = [n for n in range(code.co_firstlineno, last + 1) if self.line in source[n - 1]]
        if len(found) != 1:
            raise LookupError(f"{self.name}: {self.line!r} stands {len(found)} times in {self.function}, {self.file}")
        return found[0]

    def is_here(self, code: CodeType, offset: int, number: int) -> bool:
        """Whether an instruction that begins the line is the one meant: a `with` has its line again at its end."""
        first = min(start for start, _, line in code.co_lines() if line == number)
        return (offset > first) == (self.how == "leaving")


def _read(table: str) -> Iterator[Point]:
    file = function = name = before = after = ""
    for row in table.strip().splitlines():
        if not row.startswith(" "):
            file, function = row.split()
            continue
        if not row.startswith("    "):
            name, before, after = row.strip().split(" | ")
            continue
        how, _, line = row.strip().partition(" ")
        during = places.DURING.get(name.partition(".")[0], "work")
        yield Point(
            name,
            before,
            after,
            file,
            function,
            cast("How", how),
            line.replace("BEGIN", BEGIN),
            places.WHEN.get(name),
            during,
            places.OFTEN.get(name, 4 if during == "work" else 1),
        )


POINTS = tuple(_read(places.TABLE))
BY_NAME = {point.name: point for point in POINTS}


def source_of(point: Point, roots: list[Path]) -> Path:
    """The file that holds the point. Raises LookupError when there is none."""
    found = next((root / point.file for root in roots if (root / point.file).is_file()), None)
    if found is None:
        raise LookupError(f"{point.name}: there is no {point.file}")
    return found
