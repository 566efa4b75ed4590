"""What a database in PostgreSQL needs beside its tables.

An encoding that holds every text, the extension pgvector, and texts compared by their bytes.
"""

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from app import errors
from app.database.models import Base

# What later migrations add has the locale of the server.
_OTHER_COLLATIONS = text(
    "SELECT quote_ident(table_name) AS table_name, quote_ident(column_name) AS column_name, "
    "data_type || coalesce('(' || character_maximum_length || ')', '') AS type FROM information_schema.columns "
    "WHERE table_schema = current_schema() AND data_type IN ('text', 'character varying') "
    "AND collation_name IS DISTINCT FROM 'C' AND table_name = ANY(CAST(:tables AS text[]))"
)
# Types and operators are looked for in the schemas of the search_path.
_UNSEEN_SCHEMA = text(
    "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
    "WHERE e.extname = 'vector' AND n.nspname <> ALL (current_schemas(true))"
)
_MIN_VECTOR_VERSION = (0, 8)
_MISSING_FILES = {"0A000", "58P01"}
_NOT_ALLOWED = "42501"


def prepare_database(connection: Connection) -> None:
    """Create pgvector in a new database. Raises StartError when our tables and texts would find no place in it."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise errors.StartError(
            f"The PostgreSQL database has the encoding {encoding}, which cannot store all texts; create one with "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
        )
    if connection.scalar(text("SELECT current_schema()")) is None:
        raise errors.StartError(
            "The PostgreSQL database has no schema for Footnote's tables: the search_path names none that exists."
        )
    _create_extension(connection)
    schema = connection.scalar(_UNSEEN_SCHEMA)
    if schema is not None:
        raise errors.StartError(
            f"The extension pgvector is in the schema {schema}, where it is not found; add that schema to the "
            f"search_path, for example with ALTER DATABASE … SET search_path = public, {schema}."
        )


def _create_extension(connection: Connection) -> None:
    """Raises StartError when the server does not have or allow it, or has an old one."""
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
    except (DBAPIError, errors.Unavailable) as error:
        code = getattr(error.__cause__, "sqlstate", None)
        if code in _MISSING_FILES:
            raise errors.StartError(
                "The PostgreSQL server does not have the extension pgvector; install it there (packages are named "
                "postgresql-18-pgvector and the like; the container image is pgvector/pgvector)."
            ) from error
        if code == _NOT_ALLOWED:
            raise errors.StartError(
                "The PostgreSQL user may not create the extension pgvector; let an administrator run `CREATE EXTENSION "
                "vector` in this database once."
            ) from error
        raise
    found = str(connection.scalar(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")))
    if tuple(int(part) for part in found.split(".")[:2]) < _MIN_VECTOR_VERSION:
        raise errors.StartError(
            f"The PostgreSQL server has pgvector {found}, and 0.8 or later is needed; `ALTER EXTENSION vector UPDATE` "
            "updates it after a newer package was installed."
        )


def compare_texts_by_bytes(connection: Connection) -> None:
    """Give our columns of text the order of SQLite, whatever the server's locale.

    Tables of others in the same database, and the views of extensions, are left alone.
    """
    for row in connection.execute(_OTHER_COLLATIONS, {"tables": list(Base.metadata.tables)}).all():
        connection.exec_driver_sql(
            f'ALTER TABLE {row.table_name} ALTER COLUMN {row.column_name} TYPE {row.type} COLLATE "C"'
        )
