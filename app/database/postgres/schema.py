"""What a PostgreSQL database needs besides tables: UTF-8, the extension pgvector, and text compared by its bytes."""

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from app import errors
from app.database.models import Base

# Text columns with the server's collation: later migrations may have added some.
_OTHER_COLLATIONS = text(
    "SELECT quote_ident(table_name) AS table_name, quote_ident(column_name) AS column_name, "
    "data_type || coalesce('(' || character_maximum_length || ')', '') AS type FROM information_schema.columns "
    "WHERE table_schema = current_schema() AND data_type IN ('text', 'character varying') "
    "AND collation_name IS DISTINCT FROM 'C' AND table_name = ANY(CAST(:tables AS text[]))"
)
# Types and operators are found only in the schemas of the search_path.
_UNSEEN_SCHEMA = text(
    "SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace "
    "WHERE e.extname = 'vector' AND n.nspname <> ALL (current_schemas(true))"
)
_MIN_VECTOR_VERSION = (0, 8)
_MISSING_FILES = {"0A000", "58P01"}
_NOT_ALLOWED = "42501"


def prepare_database(connection: Connection) -> None:
    """Create pgvector in a new database. Raises StartError if the database cannot hold our tables and texts."""
    encoding = connection.scalar(text("SHOW server_encoding"))
    if encoding != "UTF8":
        raise errors.StartError(
            f"The PostgreSQL database has the encoding {encoding}, which cannot store every text; create one with "
            "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
        )
    if connection.scalar(text("SELECT current_schema()")) is None:
        raise errors.StartError(
            "The PostgreSQL database has no schema for our tables: no schema in the search_path exists."
        )
    _create_extension(connection)
    schema = connection.scalar(_UNSEEN_SCHEMA)
    if schema is not None:
        raise errors.StartError(
            f"The extension pgvector is in the schema {schema}, which is not in the search_path; add it, for example "
            f"with ALTER DATABASE … SET search_path = public, {schema}."
        )


def _create_extension(connection: Connection) -> None:
    """Raises StartError if pgvector is not installed, not allowed, or too old."""
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
    except (DBAPIError, errors.Unavailable) as error:
        code = getattr(error.__cause__, "sqlstate", None)
        if code in _MISSING_FILES:
            raise errors.StartError(
                "The PostgreSQL server does not have the extension pgvector; install it there (from a package such as "
                "postgresql-18-pgvector, or use the container image pgvector/pgvector)."
            ) from error
        if code == _NOT_ALLOWED:
            raise errors.StartError(
                "The PostgreSQL user may not create the extension pgvector; ask an administrator to run `CREATE "
                "EXTENSION vector` in this database once."
            ) from error
        raise
    found = str(connection.scalar(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")))
    if tuple(int(part) for part in found.split(".")[:2]) < _MIN_VECTOR_VERSION:
        raise errors.StartError(
            f"The PostgreSQL server has pgvector {found}, but 0.8 or later is needed. Install a newer package, then "
            "run `ALTER EXTENSION vector UPDATE`."
        )


def compare_texts_by_bytes(connection: Connection) -> None:
    """Make our text columns sort as in SQLite, whatever the server's locale.

    Tables of other programs in the same database, and views of extensions, are not changed.
    """
    for row in connection.execute(_OTHER_COLLATIONS, {"tables": list(Base.metadata.tables)}).all():
        connection.exec_driver_sql(
            f'ALTER TABLE {row.table_name} ALTER COLUMN {row.column_name} TYPE {row.type} COLLATE "C"'
        )
