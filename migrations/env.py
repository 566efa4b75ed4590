"""Alembic's entry: runs the migrations on the connection it is handed, or on DATABASE_URL's when started by hand."""

import asyncio
from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from app.database import models, opening
from app.settings import read_settings


def _render(kind: str, item: object, _: AutogenContext) -> str | Literal[False]:
    """Migrations name types of SQLAlchemy, not ours, which may change."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, models.Moment) else False


def _run(**where: Any) -> None:
    context.configure(
        **where,
        target_metadata=models.Base.metadata,
        render_as_batch=True,
        compare_server_default=True,
        render_item=_render,
        include_name=lambda name, kind, _: kind != "table" or name in models.Base.metadata.tables,
    )
    with context.begin_transaction():  # kill point: migrate.done
        context.run_migrations()


def _write_sql() -> None:
    """The statements instead of their effect; the same care for foreign keys, and the same single transaction."""
    print = context.config.print_stdout
    print("PRAGMA foreign_keys=OFF;\n")
    _run(dialect_name="sqlite", literal_binds=True, transactional_ddl=True)
    print("PRAGMA foreign_keys=ON;\n")


async def _run_by_hand() -> None:
    database = opening.open_database(read_settings().database_url)

    def run(connection: Connection) -> None:
        _run(connection=connection)

    try:
        async with database.open_schema() as connection:
            await connection.run_sync(run)
    finally:
        await database.close()


handed: Connection | None = context.config.attributes.get("connection")
if handed is not None:
    _run(connection=handed)
elif context.is_offline_mode():
    _write_sql()
else:
    asyncio.run(_run_by_hand())
