"""Build a database as an older version of Footnote would have left it, with given rows."""

from argparse import Namespace
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from app.database import opening

THEN = "'2026-01-01 00:00:00.000000'"
OWNER = f"INSERT INTO users (id, email, created_at) VALUES ('u', 'owner@localhost', {THEN})"


def project(name: str) -> str:
    """A statement that adds a project."""
    return (
        "INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at)"
        f" VALUES ('{name}', '{name}', 0, 0, {THEN}, {THEN})"
    )


def _config(*options: str) -> Config:
    config = Config(cmd_opts=Namespace(x=[*options]))
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    return config


NEWEST = ScriptDirectory.from_config(_config()).get_current_head() or ""
"""The version that this Footnote makes."""


async def make(file: Path, version: str, *statements: str) -> None:
    """The database in `file`."""

    def run(connection: Connection) -> None:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        for statement in statements:
            connection.execute(text(statement))

    await _change(f"sqlite:///{file}", run)


async def go_back(url: str, version: str) -> None:
    """Downgrade the database of `url` to this version, whatever is lost."""

    def run(connection: Connection) -> None:
        config = _config("lose=yes")
        config.attributes["connection"] = connection
        command.downgrade(config, version)

    await _change(url, run)


async def _change(url: str, run: Callable[[Connection], None]) -> None:
    database = opening.open_database(url)
    try:
        async with database.open_schema() as connection:
            await connection.run_sync(run)
    finally:
        await database.close()
