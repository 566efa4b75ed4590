"""Run the migrations that a database is missing."""

from importlib.resources import files

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def run_migrations(connection: Connection) -> None:
    """Run every missing migration on `connection`."""
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
