"""A database in; the same one at our version out. Each start runs it; nothing to do costs one read."""

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app import errors
from app.database.engine import Database


async def upgrade(database: Database) -> tuple[str | None, str]:
    """Run the missing migrations in one transaction; the versions before and after.

    Raises StartError when the database was made by a newer Footnote, which is left as it is.
    """
    async with database.writer.begin() as connection:
        return await connection.run_sync(_upgrade, str(database.url.database))


def _upgrade(connection: Connection, name: str) -> tuple[str | None, str]:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    known = {script.revision for script in scripts.walk_revisions()}
    newest = scripts.get_current_head() or ""
    before = MigrationContext.configure(connection).get_current_revision()
    if before is not None and before not in known:
        raise errors.StartError(
            f"The database {name} was made by a newer version of Footnote (it is at {before}, this one knows up to "
            f"{newest}). Install that version, or name another database in DATABASE_URL."
        )
    if before != newest:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return before, newest
