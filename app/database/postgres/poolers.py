"""Detect a pooler that assigns the server's connections per transaction."""

from contextlib import AsyncExitStack

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from app.database.postgres.failures import NoConnectionLeft, transaction_pooling_error, translate_connection_errors

_PROCESS = text("SELECT pg_backend_pid()")


async def refuse_transaction_pooler(engine: AsyncEngine, name: str) -> None:
    """Raises Unavailable if two connections share a server process, or one does not keep its own.

    Notifications and locks that belong to a connection would be lost without an error. `name` is the database's.
    """
    async with AsyncExitStack() as stack:
        try:
            with translate_connection_errors(name):
                one = await stack.enter_async_context(engine.connect())
                other = await stack.enter_async_context(engine.connect())
        except NoConnectionLeft:
            return  # not a pooler: that would let the second connection wait
        # In this order, because a pooler that rotates its connections could give each of the two its own by chance.
        first, second, third, fourth = [await _find_process(each) for each in (one, other, other, one)]
    if first == second or (first, second) != (fourth, third):
        raise transaction_pooling_error()


async def _find_process(connection: AsyncConnection) -> int:
    """The id of the server process that ran a transaction of this connection."""
    process: int = (await connection.execute(_PROCESS)).scalar_one()
    await connection.rollback()
    return process
