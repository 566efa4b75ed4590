"""A version and statements in; a database as that version of Footnote made it, with those rows, out."""

from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from app.database import engine

THEN = "'2026-01-01 00:00:00.000000'"
OWNER = f"INSERT INTO users (id, email, created_at) VALUES ('u', 'owner@localhost', {THEN})"


def project(name: str) -> str:
    """A statement that adds a project."""
    return (
        "INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at)"
        f" VALUES ('{name}', '{name}', 0, 0, {THEN}, {THEN})"
    )


async def make(file: Path, version: str, *statements: str) -> None:
    """The database in `file`."""

    def run(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        for statement in statements:
            connection.execute(text(statement))

    database = engine.open_database(f"sqlite:///{file}")
    try:
        async with database.writer.begin() as connection:
            await connection.run_sync(run)
    finally:
        await database.close()
