"""Migrate the database to the current version; a single read if there is nothing to do.

Before a migration, the database is backed up beside itself.
"""

from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app import errors
from app.database.protocol import Database


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The versions before (None for a new database) and after, and the backup made before migrating."""

    before: str | None
    now: str
    backup: Path | None


async def upgrade_database(database: Database) -> UpgradeResult:
    """Run the missing migrations in one transaction.

    Raises StartError if a newer Footnote made the database, which is then left unchanged, or if no backup can be made.
    """
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    newest = scripts.get_current_head() or ""
    before = await database.inspect_schema(_current_revision)
    if before is not None and before not in {script.revision for script in scripts.walk_revisions()}:
        raise errors.StartError(
            f"The database {database.name} was created by a newer version of Footnote (it is at {before}, this "
            f"one knows up to {newest}). Install that version, or name another database in DATABASE_URL."
        )
    if before == newest:
        return UpgradeResult(before, newest, None)
    kept = await _back_up(database, newest) if before is not None else None  # crash guard: migrate.backup
    await database.change_schema(partial(_run_migrations, config))
    return UpgradeResult(before, newest, kept)  # kill point: migrate.committed


async def _back_up(database: Database, newest: str) -> Path:
    try:
        return await database.back_up_beside(f"before-{newest}")
    except errors.Invalid as error:
        raise errors.StartError(
            f"The database was not migrated, because no backup of it could be made. {error.message}"
        ) from error


def _current_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _run_migrations(config: Config, connection: Connection) -> None:
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
