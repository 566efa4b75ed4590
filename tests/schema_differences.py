"""Compare the tables of a database with what the models say."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from app.database import models


def find_differences(connection: Connection) -> list[object]:
    """What a migration would still have to change; tables that are made by hand, such as indexes, are left out."""
    context = MigrationContext.configure(connection, opts={"include_name": _is_ours})
    return list(compare_metadata(context, models.Base.metadata))


def _is_ours(name: str | None, kind: str, _: object) -> bool:
    return kind != "table" or name in models.Base.metadata.tables
