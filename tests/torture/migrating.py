"""Kill a server while it migrates an older database at start.

Whatever a kill leaves is the old version, whole, or the new one, whole, with every row that was there; the next start
goes on, and a copy of the database as it was before is there.
"""

import hashlib
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from sqlite3 import Connection

from app.database.sqlite import driver
from tests import old_databases
from tests.torture import checks
from tests.torture.chain import Chain, Kill

OLD, NEW = "0001", old_databases.NEWEST
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
    """Run each kill in its own start on the same files, then start once without a kill."""
    await _fill(chain)
    for left in _backups(chain.file):
        left.unlink()
    await old_databases.go_back(chain.file, OLD)
    rows = _rows(chain.file)
    for kill in kills:
        old = _version(chain.file) == OLD
        await chain.live(kill)
        found = _version(chain.file)
        if found == NEW:
            await checks.at_rest(chain.file, chain.ledger)
        else:  # of a version that today's checks do not know
            await checks.undamaged(chain.file)
        assert found == NEW or (old and found == OLD), f"half migrated: the database is at {found}"
        assert found == OLD or _kept(chain.file), "migrated, and no backup of what was before"
        assert not old or _rows(chain.file) == rows, f"rows were {rows}, now they are {_rows(chain.file)}"
    await chain.rest()
    assert _version(chain.file) == NEW
    kept = _kept(chain.file)
    assert kept, "migrated, and no backup of what was before"
    assert not list(chain.file.parent.glob("*.partial")), "a copy that was never whole is left"
    for file in kept:
        assert _rows(file) == rows, f"the backup has {_rows(file)} and not {rows}"


async def _fill(chain: Chain) -> None:
    """Fill every table with rows that could be lost."""
    while not chain.file.exists() or not _is_filled(chain.file):
        await chain.kill([_FILLING])
        await chain.rest()


def _backups(file: Path) -> list[Path]:
    return list(file.parent.glob(f"{file.name}.before-*"))


def _kept(file: Path) -> list[Path]:
    """The backups of the database at its old version."""
    return [found for found in _backups(file) if found.suffix != ".partial" and _version(found) == OLD]


@contextmanager
def _opened(file: Path) -> Generator[Connection]:
    with closing(driver.choose_driver().module.connect(str(file))) as connection:
        driver.load_vector_extension(connection)
        yield connection


def _version(file: Path) -> str:
    with closing(driver.choose_driver().module.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        [version] = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return str(version)


def _is_filled(file: Path) -> bool:
    """Whether each table has rows; their columns are of the newest version."""
    with _opened(file) as connection:
        return all(connection.execute(f"SELECT EXISTS (SELECT 1 FROM {table})").fetchone()[0] for table in _ROWS)


def _rows(file: Path) -> Rows:
    found: Rows = {}
    with _opened(file) as connection:
        for table, columns in _ROWS.items():
            rows = connection.execute(f"SELECT {columns} FROM {table} ORDER BY {columns}").fetchall()
            found[table] = (len(rows), hashlib.sha256(repr(rows).encode()).hexdigest()[:12])
    return found
