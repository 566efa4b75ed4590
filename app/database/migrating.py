"""Create the tables of a new database, and run the migrations that an existing one is missing.

A new database starts from a recent revision, `migrations/DIALECT/REVISION.sql`: this takes an eighth of the time of all
migrations, and Alembic is imported only if there are later ones.
"""

from importlib.resources import files

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, insert, inspect

from app.database.postgres import schema

# As Alembic creates it.
_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def run_migrations(connection: Connection, newest: str) -> None:
    """Bring a database to the revision `newest`. Raises StartError if a new one does not meet our requirements."""
    is_on_server = connection.dialect.name == "postgresql"
    revision = None
    if not inspect(connection).has_table(_VERSION.name):
        if is_on_server:
            schema.prepare_database(connection)
        revision = _create_tables(connection)
    if revision != newest:
        _run_missing(connection)
    if is_on_server:
        schema.compare_texts_by_bytes(connection)


def _create_tables(connection: Connection) -> str:
    """Create the tables of a new database; returns their revision."""
    revision = first_revision(connection.dialect.name)
    script = files("migrations") / connection.dialect.name / f"{revision}.sql"
    for statement in script.read_text(encoding="utf-8").split(";\n"):
        if statement.strip():
            connection.exec_driver_sql(statement)
    _VERSION.create(connection)  # kill point: migrate.based
    connection.execute(insert(_VERSION).values(version_num=revision))
    return revision


def first_revision(dialect: str) -> str:
    """The revision from which a new database starts."""
    [script] = (files("migrations") / dialect).iterdir()
    return script.name.removesuffix(".sql")


def _run_missing(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
