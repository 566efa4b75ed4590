"""Kill a server while it migrates an older database at start.

Whatever a kill leaves is the old version, whole, or the new one, whole, with every row that was there; the next start
goes on, and of a file a copy as it was before is there.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import text

from app.database.migrating import first_revision
from tests import old_databases
from tests.torture import checks
from tests.torture.chain import Chain, Kill
from tests.torture.storage import SQLiteStorage, Storage

# PostgreSQL begins with a later version.
_OLD, _NEW = {"sqlite": "0001", "postgresql": first_revision("postgresql")}, old_databases.NEWEST
# The columns of 0001 of the tables that have rows; those that have text in them may be long.
_ROWS = {
    "projects": "id, name, index_version, created_at, updated_at",
    "users": "id, email, created_at",
    "chat_sessions": "id, project_id, created_by, title",
    "documents": "id, project_id, source, version, status",
    "embedding_spaces": "id, project_id, model, dimensions, state",
    "chunks": "id, document_id, version, position, text",
    "messages": "id, session_id, role, content, status, idempotency_key",
    "document_keys": "project_id, key, document_id, sha256",
    "originals": "document_id, version, position, data",
    "answer_events": "message_id, sequence, payload",
}

_FILLING = Kill(None, seconds=2.0)

Rows = dict[str, tuple[int, str]]
"""Of each table how many rows, and a hash of them."""


async def migrate(chain: Chain, kills: Sequence[Kill]) -> None:
    """Run each kill in its own start on the same database, then start once without a kill."""
    storage = chain.storage
    await _fill(chain)
    for left in _backups(storage):
        left.unlink()
    await old_databases.go_back(storage.url, _OLD[storage.dialect])
    rows = await _read_rows(storage)
    for kill in kills:
        old = await _is_old(storage)
        await chain.live(kill)
        is_new = not await _is_old(storage)
        if is_new:
            await checks.at_rest(storage, chain.ledger)
        else:  # of a version that today's checks do not know
            await checks.undamaged(storage)
        assert old or is_new, "the database has gone back"
        assert not is_new or await _is_backed_up(storage), "migrated, and no backup of what was before"
        assert not old or await _read_rows(storage) == rows, f"rows were {rows}, and now they are others"
    await chain.rest()
    assert not await _is_old(storage)
    assert await _is_backed_up(storage), "migrated, and no backup of what was before"
    for file in _backups(storage):
        assert file.suffix != ".partial", "a copy that was never whole is left"
        found = await _read_rows(SQLiteStorage(file))
        assert found == rows, f"the backup has {found} and not {rows}"


async def _fill(chain: Chain) -> None:
    """Fill every table with rows that could be lost."""
    while not chain.ledger.project or not await _is_filled(chain.storage):
        await chain.kill([_FILLING])
        await chain.rest()


def _backups(storage: Storage) -> list[Path]:
    """The copies of a file that were made before it was migrated."""
    if not isinstance(storage, SQLiteStorage):
        return []
    return list(storage.file.parent.glob(f"{storage.file.name}.before-*"))


async def _is_backed_up(storage: Storage) -> bool:
    """Whether there is a whole copy at the old version, where copies are made."""
    whole = [file for file in _backups(storage) if file.suffix != ".partial"]
    return storage.dialect != "sqlite" or any([await _is_old(SQLiteStorage(file)) for file in whole])


async def _is_old(storage: Storage) -> bool:
    """Whether it has the version from which it is migrated, and not the newest. Raises AssertionError for any other."""
    async with storage.open_remains() as database, database.read() as db:
        version = (await db.execute(text("SELECT version_num FROM alembic_version"))).scalar_one()
    assert version in (_OLD[storage.dialect], _NEW), f"half migrated: the database is at {version}"
    return version != _NEW


async def _is_filled(storage: Storage) -> bool:
    """Whether each table has rows; their columns are of the newest version."""
    async with storage.open_remains() as database, database.read() as db:
        return all([(await db.execute(text(f"SELECT 1 FROM {table} LIMIT 1"))).first() for table in _ROWS])


async def _read_rows(storage: Storage) -> Rows:
    found: Rows = {}
    async with storage.open_remains() as database, database.read() as db:
        for table, columns in _ROWS.items():
            rows = sorted(map(repr, await db.execute(text(f"SELECT {columns} FROM {table}"))))
            found[table] = (len(rows), hashlib.sha256(repr(rows).encode()).hexdigest()[:12])
    return found
