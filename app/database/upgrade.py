"""Migrate the database to the current version; if it is up to date, this is a single read.

A database that is a file is backed up next to itself before it is migrated.
"""

import logging
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from app import errors
from app.database.migrating import run_migrations
from app.database.protocol import Database

log = logging.getLogger(__name__)

OWN_TABLES = {"alembic_version", "projects", "documents", "chunks"}
"""Tables that every version has had. `alembic_version` alone proves nothing: other programs have it, too."""


@dataclass(frozen=True, slots=True)
class UpgradeResult:
    """The revision before (None for a new database) and after, and the backup made before migrating."""

    before: str | None
    now: str
    backup: Path | None


def known_revisions() -> list[str]:
    """The revisions of all migrations, in order. A migration's file name begins with its revision."""
    names = [file.name for file in (files("migrations") / "versions").iterdir()]
    return sorted(name.partition("_")[0] for name in names if name.endswith(".py") and name[0].isdigit())


def describe_newer(revision: str | None) -> str | None:
    """Why this version cannot use a database at this revision, worded as a predicate; None if it can."""
    known = known_revisions()
    if revision is None or revision in known:
        return None
    return f"was created by a newer version of Footnote (it is at {revision}, this one knows up to {known[-1]})"


async def upgrade_database(database: Database, named_by: str = "DATABASE_URL") -> UpgradeResult:
    """Run the missing migrations in one transaction. `named_by` is the setting or option that names the database.

    Raises StartError if a newer Footnote or another program created the database (which is then left unchanged), if no
    backup can be made, or if the database cannot be used: a file may be read-only, or no database at all.
    """
    try:
        return await _upgrade(database, named_by)
    except DBAPIError as error:
        raise _unusable(database, error, named_by) from error
    except errors.Unavailable as error:
        raise errors.StartError(_name_once(database, error.message, named_by)) from error


async def _upgrade(database: Database, named_by: str) -> UpgradeResult:
    newest = known_revisions()[-1]
    read_revision = partial(_read_revision, database, named_by)
    before = await database.inspect_schema(read_revision)
    if _is_newest(database, before, named_by):
        return UpgradeResult(before, newest, None)
    async with database.open_schema() as connection:
        before = await connection.run_sync(read_revision)
        if _is_newest(database, before, named_by):  # another process was faster
            return UpgradeResult(before, newest, None)
        if before is not None:
            log.info("migrating the database from %s to %s: a large one takes minutes", before, newest)
        # The backup is a snapshot of what is committed, so it contains none of this transaction's changes.
        backup = await _back_up(database, newest) if before is not None else None  # crash guard: migrate.backup
        await connection.run_sync(run_migrations, newest)  # kill point: migrate.copied
    return UpgradeResult(before, newest, backup)  # kill point: migrate.committed


def _is_newest(database: Database, revision: str | None, named_by: str) -> bool:
    """Whether nothing has to be migrated. Raises StartError for a revision of a newer Footnote."""
    if newer := describe_newer(revision):
        raise errors.StartError(
            f"The database {database.name} {newer}. Install that version, or name another database in {named_by}."
        )
    return revision == known_revisions()[-1]


async def require_newest(database: Database) -> None:
    """Raises StartError unless the database is at the current version."""
    try:
        before = await database.inspect_schema(partial(_read_revision, database, "DATABASE_URL"))
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
    """An error message that names its database, and the setting or option that names it, once."""
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
            f"The database was not migrated because it could not be backed up. {error.message}"
        ) from error


def _read_revision(database: Database, named_by: str, connection: Connection) -> str | None:
    """The revision of a database; None for a new one. Raises StartError if another program created it.

    A file belongs to one program, but a database on a server may also hold tables of other programs.
    """
    tables = set(inspect(connection).get_table_names())
    has_revision = "alembic_version" in tables
    revision = connection.scalar(text("SELECT version_num FROM alembic_version")) if has_revision else None
    is_used = bool(tables - {"alembic_version"}) if isinstance(database.location, Path) else revision is not None
    if is_used and not tables >= OWN_TABLES:
        raise errors.StartError(
            f"The database {database.name} belongs to another program; name another one in {named_by}."
        )
    return revision
