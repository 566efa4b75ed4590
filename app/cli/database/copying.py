"""Copy a whole installation from one database to another, of any kind, and check that both are the same."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from app import errors
from app.database import copying, upgrade
from app.database.copying import ShowProgress
from app.database.protocol import Database
from app.knowledge.index import copying as indexes
from app.knowledge.index.copying import IndexedDatabase
from app.knowledge.index.opening import open_index

_SEARCHES = 10


@dataclass(frozen=True, slots=True)
class CopyReport:
    """How much was copied, and how many searches found the same on both sides."""

    rows: int
    chunks: int
    searches: int


async def copy_installation(source: Database, target: Database, show: ShowProgress) -> CopyReport:
    """Copy everything, as of this moment, to an empty database.

    It is one transaction: when rows, vectors or searches differ, or it is cancelled, nothing is copied. Raises
    StartError if the source has to be migrated first, and Conflict if another process uses the source (what it writes
    from now on would be missing), or the target holds anything, cannot hold what the source does, or differs from it
    afterwards.
    """
    await source.require_unused()
    await upgrade.require_newest(source)
    await upgrade.upgrade_database(target, named_by="--to")
    tables = copying.copied_tables()
    async with source.read() as snapshot, target.begin() as db:
        # While all rows of one database are compared, the other one waits.
        await source.lift_time_limits(snapshot)
        await target.lift_time_limits(db)
        for table in tables:
            if await copying.count_rows(db, table):
                message = f"{target.name} is in use: {table.name} has rows. Copy to an empty database."
                raise errors.Conflict(message)
        ours = IndexedDatabase(snapshot, open_index(source.dialect))
        theirs = IndexedDatabase(db, open_index(target.dialect))
        sums = await copying.copy_tables(snapshot, db, tables, show)
        chunks = sums["chunks"].rows
        await _count(indexes.copy_indexes(ours, theirs), "indexing", chunks, show)
        if different := await copying.find_different_tables(db, tables, sums, show):
            raise _differs(f"the rows of {different[0]}")
        if different := await _count(indexes.count_different_vectors(ours, theirs), "comparing vectors", chunks, show):
            raise _differs(f"the vectors of {different:,} chunks")
        compared = await indexes.compare_searches(ours, theirs, _SEARCHES)
        if compared.different:
            raise _differs(f"what a search for “{compared.different[0]}” finds")
    return CopyReport(sum(each.rows for each in sums.values()), chunks, compared.made)


async def _count(steps: AsyncGenerator[tuple[int, int]], what: str, total: int, show: ShowProgress) -> int:
    """Show the progress of each step. Returns the sum of their findings."""
    done = result = 0
    async with aclosing(steps):
        async for chunks, found in steps:
            done, result = done + chunks, result + found
            show(what, done, total)
    return result


def _differs(what: str) -> errors.Conflict:
    return errors.Conflict(f"Nothing was copied: the copy differs in {what}.")
