"""The short form of `make torture`: a few kills at points where much is half done, and one guard taken away."""

import re
from pathlib import Path
from types import CodeType

import alembic
import pytest

from tests.servers.running import running
from tests.torture import guards
from tests.torture.chain import Chain, Kill, Tally
from tests.torture.compacting import compact
from tests.torture.migrating import migrate
from tests.torture.points import BY_NAME, POINTS, Point, source_of
from tests.torture.server import ROOT, Nursery, SlowModel

ROOTS = [ROOT, Path(alembic.__file__).parent.parent]


def codes(code: CodeType) -> list[CodeType]:
    """A module's code and that of everything in it."""
    return [code, *(inner for part in code.co_consts if isinstance(part, CodeType) for inner in codes(part))]


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
def test_every_point_is_one_line_of_one_function(point: Point) -> None:
    file = source_of(point, ROOTS)
    source = file.read_text(encoding="utf-8")
    [code] = [code for code in codes(compile(source, str(file), "exec")) if point.is_in(code)]
    number = point.number(code, source.splitlines())
    here = [point.is_here(code, start, number) for start, _, line in code.co_lines() if line == number]
    assert any(here), "the line is never left" if point.how == "leaving" else "the line is never begun"


@pytest.mark.parametrize("guard", guards.GUARDS, ids=lambda guard: guard.name)
def test_every_guard_is_there_to_be_taken_away(guard: guards.Guard) -> None:
    source = (ROOT / guard.file).read_text(encoding="utf-8")
    assert guard.without(source) != source
    assert all(name in BY_NAME for name in guard.points)
    assert re.compile(guard.says)


def kills(*names: str) -> list[Kill]:
    """One at each of these points."""
    return [Kill(BY_NAME[name]) for name in names]


async def test_what_was_promised_outlives_kills(tmp_path: Path) -> None:
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


async def test_a_missing_guard_is_noticed(tmp_path: Path) -> None:
    guard = next(guard for guard in guards.GUARDS if guard.name.startswith("a document and its original"))
    copy = guards.copied(tmp_path / "copy")
    (tmp_path / "data").mkdir()
    with running(SlowModel()) as model:
        assert await guards.noticed(guard, copy, tmp_path / "data", model, seed=1)
