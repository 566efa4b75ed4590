"""Recognize a pooler that hands out the server's connections by transaction."""

from contextlib import AsyncExitStack

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.database.postgres.failures import NoConnectionLeft, connecting, hands_out_by_transaction

_PROCESS = text("SELECT pg_backend_pid()")


async def refuse_transaction_pooler(engine: AsyncEngine, name: str) -> None:
    """Raises Unavailable if two connections share a process of the server, or one does not keep its own.

    What belongs to a connection would be lost without an error: notifications, and locks until a process ends. `name`
    is the database's.
    """
    async with AsyncExitStack() as stack:
        try:
            with connecting(name):
                one = await stack.enter_async_context(engine.connect())
                other = await stack.enter_async_context(engine.connect())
        except NoConnectionLeft:
            return  # a pooler would let the second one wait
        # In this order: a pooler that takes its connections in turns could give each asker its own one by chance.
        first, second, third, fourth = [await _find_process(each) for each in (one, other, other, one)]
    if first == second or (first, second) != (fourth, third):
        raise hands_out_by_transaction()


async def _find_process(connection: AsyncConnection) -> int:
    """The process of the server that ran a transaction of this connection."""
    process: int = (await connection.execute(_PROCESS)).scalar_one()
    await connection.rollback()
    return process
