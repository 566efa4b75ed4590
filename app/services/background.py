"""Background tasks that run as long as the server, watched and ended in time."""

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
    """A task that runs as long as the block; `Services.health` tells when it has ended before."""
    task = work[name] = asyncio.create_task(coroutine)
    task.add_done_callback(_tell_end)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def repeat(seconds: float, *steps: Callable[[], Awaitable[object]]) -> None:
    """Take these steps, so many seconds after the last; what the database refuses now is tried the next time."""
    while True:
        await asyncio.sleep(seconds)
        for step in steps:
            try:
                await step()
            except (errors.Unavailable, SQLAlchemyError) as error:
                log.warning("background work has to wait: %s", error)


def _tell_end(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.critical("background work ended: %r", error, exc_info=error)
