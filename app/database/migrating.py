"""Run the migrations that a database is missing."""

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect

from app.database.postgres import baseline


def run_migrations(connection: Connection) -> None:
    """Run every missing migration on `connection`. Raises StartError when the database lacks what they need."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    is_on_server = connection.dialect.name == "postgresql"
    if is_on_server and not inspect(connection).has_table("alembic_version"):
        baseline.create_tables(connection)
        command.stamp(config, baseline.REVISION)  # kill point: migrate.based
    command.upgrade(config, "head")
    if is_on_server:
        baseline.compare_texts_by_bytes(connection)
