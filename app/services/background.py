"""Background tasks that run as long as the server; they are watched, and stopped in order."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress

from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.observation.outages import OutageLog

log = logging.getLogger(__name__)

_REFUSALS = (errors.Unavailable, SQLAlchemyError)


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


async def repeat_steps(
    seconds: float, *steps: Callable[[], Awaitable[object]], allowed: Callable[[], Awaitable[bool]] | None = None
) -> None:
    """Take these steps again and again, with a pause of `seconds`, if `allowed` says so each time.

    What the database refuses is left for the next time.
    """
    outages = OutageLog(log, "background work is postponed", "background work is done again")
    while True:
        await asyncio.sleep(seconds)
        failures = [error async for error in _take_steps(steps, allowed)]
        for error in failures:
            outages.report_failure(error)
        if not failures:
            outages.report_success()


async def _take_steps(
    steps: Sequence[Callable[[], Awaitable[object]]], allowed: Callable[[], Awaitable[bool]] | None
) -> AsyncGenerator[Exception]:
    """Yields what the database refuses."""
    try:
        if allowed is not None and not await allowed():
            return
    except _REFUSALS as error:
        yield error
        return
    for step in steps:
        try:
            await step()
        except _REFUSALS as error:
            yield error


def _log_end(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.critical("background work ended: %r", error, exc_info=error)
