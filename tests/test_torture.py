"""A short `make torture`: a few kills where much is half done, and one guard removed."""

import builtins
import keyword
import re
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.servers.running import running
from tests.torture import guards, markers, places
from tests.torture.chain import Chain, Kill, Tally
from tests.torture.compacting import compact
from tests.torture.migrating import migrate
from tests.torture.points import BY_NAME, POINTS, Point, has_line
from tests.torture.server import Nursery, SlowModel

# What the changes that take guards away name anew.
NEW_NAMES = {"short", "setdefault", "append", "ids", "execute", "commit", "COMMIT", "BEGIN"}


class Locals(dict[str, Any]):
    """Local variables with any value; records which names are read."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[object] = set()

    def __getitem__(self, name: object) -> Any:
        self.names.add(name)
        return MagicMock()

    def get(self, name: object, default: object = None) -> Any:
        return self[name]

    def __contains__(self, name: object) -> bool:
        return bool(self[name])


def codes(code: CodeType) -> list[CodeType]:
    """A module's code object and all nested ones."""
    return [code, *(inner for part in code.co_consts if isinstance(part, CodeType) for inner in codes(part))]


def test_every_marker_is_that_of_a_point_or_of_a_guard() -> None:
    marked = markers.marked(markers.packages("app", "migrations"))
    edited = {edit.marker for guard in guards.GUARDS for edit in guard.edits}
    assert marked.keys() == edited | BY_NAME.keys() - places.OUTSIDE.keys()
    assert {name: found for name, found in marked.items() if len(found) > 1} == {}
    assert places.WHEN.keys() | places.OFTEN.keys() | places.OUTSIDE.keys() <= BY_NAME.keys()


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_every_point_is_one_line_of_one_function(point: Point) -> None:
    file, line = str(point.place.file), point.place.line
    source = point.place.file.read_text(encoding="utf-8")
    [code] = [code for code in codes(compile(source, file, "exec")) if has_line(code, line)]
    here = [point.is_here(code, start) for start, _, number in code.co_lines() if number == line]
    assert any(here), "the line is never left" if point.how == "leaving" else "the line is never begun"
    if point.when is not None:
        local = Locals()
        with suppress(TypeError):  # what is anything cannot be compared
            point.when(local)
        assert local.names
        assert local.names <= {*code.co_varnames, *code.co_cellvars, *code.co_freevars}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product in which guards can be removed, one at a time: each is put back."""
    return guards.copied(tmp_path_factory.mktemp("copy"))


def statement(place: markers.Place) -> str:
    """The marked line, without its comment."""
    return place.file.read_text(encoding="utf-8").splitlines()[place.line - 1].partition("  #")[0].strip()


@pytest.mark.parametrize("guard", guards.GUARDS, ids=lambda guard: guard.name)
def test_every_guard_can_be_removed(guard: guards.Guard, copy: Path) -> None:
    files = {edit.marker: markers.marked([copy])[edit.marker][0].file for edit in guard.edits}
    before = {file: file.read_text(encoding="utf-8") for file in files.values()}
    with guards.without(guard, copy):
        for file, source in before.items():
            changed = file.read_text(encoding="utf-8")
            assert changed != source
            compile(changed, str(file), "exec")
        left = markers.marked([copy])
        assert all(len(left[name]) == 1 for name in guard.points if name not in places.OUTSIDE)
        # What is inserted before a kill point has happened when the process dies there.
        moved = [left[edit.marker][0] for edit in guard.edits if edit.marker in guard.points and edit.text]
        assert not [place for place in moved if statement(place) in "".join(edit.text for edit in guard.edits)]
    assert {file: file.read_text(encoding="utf-8") for file in before} == before
    for edit in guard.edits:  # what it brings in speaks of things that the file knows
        names = set(re.findall(r"[A-Za-z_]+", edit.text)) - {*keyword.kwlist, *dir(builtins), *NEW_NAMES}
        assert names <= set(re.findall(r"[A-Za-z_]+", before[files[edit.marker]]))
    assert re.compile(guard.says)


def kills(*names: str) -> list[Kill]:
    """Plan one kill at each of these points."""
    return [Kill(BY_NAME[name]) for name in names]


async def test_promises_survive_kills(tmp_path: Path) -> None:
    tally = Tally()
    with running(SlowModel()) as model, Nursery(model) as nursery:
        chain = Chain(tmp_path, nursery, 1, tally, print)
        try:
            chain.ledger.again = False
            await chain.kill(kills("store.indexed", "journal.committing", "recover.event"))
            await migrate(chain, kills("migrate.dropped"))
            chain.ledger.again = True
            await chain.kill(kills("again.replacing"))
            await compact(chain, kills("compact.committing"))
        finally:
            chain.end()
    assert not tally.missed


async def test_a_missing_guard_is_noticed(copy: Path, tmp_path: Path) -> None:
    guard = next(guard for guard in guards.GUARDS if guard.name.startswith("a document and its original"))
    with running(SlowModel()) as model:
        assert await guards.noticed(guard, copy, tmp_path, model, seed=1)
