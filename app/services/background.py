"""Background tasks that run as long as the server; they are watched, and stopped in order."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import SQLAlchemyError

from app import errors

log = logging.getLogger(__name__)


@asynccontextmanager
async def run_in_background(
    work: dict[str, asyncio.Task[None]], name: str, coroutine: Coroutine[None, None, None]
) -> AsyncGenerator[None]:
    """A task that runs as long as the block; `Services.health` reports it if it ends before."""
    task = work[name] = asyncio.create_task(coroutine)
    task.add_done_callback(_log_end)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def repeat_steps(seconds: float, *steps: Callable[[], Awaitable[object]]) -> None:
    """Take these steps again and again, with a pause of `seconds`."""
    while True:
        await asyncio.sleep(seconds)
        await take_steps(*steps)


async def take_steps(*steps: Callable[[], Awaitable[object]]) -> None:
    """Take these steps. What the database refuses is left for the next time."""
    for step in steps:
        try:
            await step()
        except (errors.Unavailable, SQLAlchemyError) as error:
            log.warning("background work is postponed: %s", error)


def _log_end(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.critical("background work ended: %r", error, exc_info=error)
