"""Migrate the database to the current version at each start; costs one read if there is nothing to do.

Before a migration a backup is made beside the database.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app import errors
from app.database import backup, engine
from app.database.engine import Database


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The versions before (None: the database is new) and now, and the backup that was made between the two."""

    before: str | None
    now: str
    backup: Path | None


async def upgrade(database: Database) -> Upgraded:
    """Run the missing migrations in one transaction.

    Raises StartError when the database was made by a newer Footnote, which is left as it is, and when no backup can be
    made.
    """
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    newest = scripts.get_current_head() or ""
    async with database.writer.begin() as connection:
        before = await connection.run_sync(_current_revision)
    if before is not None and before not in {script.revision for script in scripts.walk_revisions()}:
        raise errors.StartError(
            f"The database {database.url.database} was created by a newer version of Footnote (it is at {before}, this "
            f"one knows up to {newest}). Install that version, or name another database in DATABASE_URL."
        )
    if before == newest:
        return Upgraded(before, newest, None)
    kept = await _back_up(database, newest) if before is not None else None  # crash guard: migrate.backup
    # kill point: migrate.committing
    async with engine.foreign_keys_off(database.writer), database.writer.begin() as connection:
        await connection.run_sync(_run_migrations, config)  # kill point: migrate.copied
        await connection.run_sync(engine.check_foreign_keys)
    return Upgraded(before, newest, kept)  # kill point: migrate.committed


async def _back_up(database: Database, newest: str) -> Path:
    file = backup.free_name(backup.file_of(database), f"before-{newest}")
    try:
        await backup.backup(database, file)
    except errors.Invalid as error:
        raise errors.StartError(
            f"The database was not migrated, because no backup of it could be made. {error.message}"
        ) from error
    return file


def _current_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _run_migrations(connection: Connection, config: Config) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
