"""Migrate the database to the current version; a single read if there is nothing to do.

Before a migration, a database that is a file is backed up beside itself.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from app import errors
from app.database.migrating import run_migrations
from app.database.protocol import Database


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The versions before (None for a new database) and after, and the backup made before migrating."""

    before: str | None
    now: str
    backup: Path | None


def known_revisions() -> list[str]:
    """The revisions of all migrations in order. The name of a migration's file begins with its revision."""
    names = [file.name for file in (files("migrations") / "versions").iterdir()]
    return sorted(name.partition("_")[0] for name in names if name.endswith(".py") and name[0].isdigit())


def describe_newer(revision: str | None) -> str | None:
    """What to say of a database at this revision if this version does not know it; None if it can be used."""
    known = known_revisions()
    if revision is None or revision in known:
        return None
    return f"was created by a newer version of Footnote (it is at {revision}, this one knows up to {known[-1]})"


async def upgrade_database(database: Database, named_by: str = "DATABASE_URL") -> UpgradeResult:
    """Run the missing migrations in one transaction. `named_by` is the setting or option that says which database.

    Raises StartError if a newer Footnote made the database, which is then left unchanged, if no backup can be made, or
    if it cannot be used, such as a file that is no database or is read-only.
    """
    try:
        return await _upgrade(database)
    except DBAPIError as error:
        raise _unusable(database, error, named_by) from error
    except errors.Unavailable as error:
        raise errors.StartError(_name_once(database, error.message, named_by)) from error


async def _upgrade(database: Database) -> UpgradeResult:
    newest = known_revisions()[-1]
    before = await database.inspect_schema(_current_revision)
    if _is_newest(database, before):
        return UpgradeResult(before, newest, None)
    async with database.open_schema() as connection:
        before = await connection.run_sync(_current_revision)
        if _is_newest(database, before):  # another process was faster
            return UpgradeResult(before, newest, None)
        # Of what others see: nothing is changed yet.
        kept = await _back_up(database, newest) if before is not None else None  # crash guard: migrate.backup
        await connection.run_sync(run_migrations, newest)  # kill point: migrate.copied
    return UpgradeResult(before, newest, kept)  # kill point: migrate.committed


def _is_newest(database: Database, revision: str | None) -> bool:
    """Whether nothing has to be migrated. Raises StartError for a revision of a newer Footnote."""
    if newer := describe_newer(revision):
        raise errors.StartError(
            f"The database {database.name} {newer}. Install that version, or name another database in DATABASE_URL."
        )
    return revision == known_revisions()[-1]


async def require_newest(database: Database) -> None:
    """Raises StartError unless the database is at the current version."""
    try:
        before = await database.inspect_schema(_current_revision)
    except DBAPIError as error:
        raise _unusable(database, error) from error
    if before != known_revisions()[-1]:
        raise errors.StartError(
            f"The database {database.name} is not at the version of this Footnote; run `footnote migrate` first."
        )


def _unusable(database: Database, error: DBAPIError, named_by: str = "DATABASE_URL") -> errors.StartError:
    reason = database.describe_failure(error)
    return errors.StartError(f"The database {database.name} ({named_by}) cannot be used: {reason}.")


def _name_once(database: Database, message: str, named_by: str) -> str:
    """The message of an error, with the name of its database and of who says which one that is."""
    named = f"The database {database.name}"
    for beginning in (named, "The database"):
        if message.startswith(beginning):
            return f"{named} ({named_by}){message.removeprefix(beginning)}"
    return f"{named} ({named_by}): {message}"


async def _back_up(database: Database, newest: str) -> Path | None:
    try:
        return await database.back_up_beside(f"before-{newest}")
    except errors.Conflict as error:
        raise errors.StartError(
            f"The database was not migrated, because no backup of it could be made. {error.message}"
        ) from error


def _current_revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.scalar(text("SELECT version_num FROM alembic_version"))
