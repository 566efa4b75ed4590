"""Alembic's entry: runs the migrations on the connection it is handed, or on DATABASE_URL's when started by hand."""

import asyncio
from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from app.database import engine, models
from app.settings import read_settings


def _render(kind: str, item: object, _: AutogenContext) -> str | Literal[False]:
    """Migrations name types of SQLAlchemy, not ours, which may change."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, models.Moment) else False


def _run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=models.Base.metadata,
        render_as_batch=True,
        compare_server_default=True,
        render_item=_render,
        include_name=lambda name, kind, _: kind != "table" or name in models.Base.metadata.tables,
    )
    with context.begin_transaction():
        context.run_migrations()


async def _run_by_hand() -> None:
    database = engine.open_database(read_settings().database_url or engine.DEFAULT_URL)
    async with database.writer.begin() as connection:
        await connection.run_sync(_run)
    await database.close()


handed: Connection | None = context.config.attributes.get("connection")
if handed is not None:
    _run(handed)
else:
    asyncio.run(_run_by_hand())
