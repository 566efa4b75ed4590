"""Background work that runs as long as the server does: restarted if it fails, and stopped in order."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.observation.outages import OutageLog

log = logging.getLogger(__name__)

# How long failed work pauses before it is restarted, at first and at most.
_PAUSE_SECONDS, _LONGEST_PAUSE_SECONDS = 1.0, 60.0

Result = TypeVar("Result")


class BackgroundWork:
    """Work that runs as long as the server does, and is restarted after growing pauses if it fails.

    `is_failing`: it failed, and has not yet run again for as long as its last pause.
    """

    def __init__(self, name: str, start: Callable[[], Coroutine[None, None, None]]) -> None:
        self.is_failing = False
        self._name = name
        self._start = start
        self._reason: str | None = None

    async def run(self) -> None:
        """Start the work, and restart it whenever it ends, until this is cancelled."""
        pause = 0.0
        while True:
            started = time.monotonic()
            task = asyncio.create_task(self._start())
            try:
                await asyncio.wait([task], timeout=pause if self.is_failing else None)
                if not task.done():
                    self._report_recovery()
                    await asyncio.wait([task])
            finally:
                if not task.done():
                    task.cancel()
                    await asyncio.wait([task])
                self._report_end(task)
            has_recovered = time.monotonic() - started >= _LONGEST_PAUSE_SECONDS
            pause = _PAUSE_SECONDS if has_recovered or not pause else min(2 * pause, _LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(pause)

    def _report_end(self, task: asyncio.Task[None]) -> None:
        """Log why the work ended, once per outage and reason."""
        if task.cancelled() and task.cancelling():  # the server stops
            return
        error = None if task.cancelled() else task.exception()
        reason, self.is_failing = repr(error), True
        if reason == self._reason:
            return
        self._reason = reason
        log.critical("background work failed and is restarted: %s: %r", self._name, error, exc_info=error)

    def _report_recovery(self) -> None:
        self.is_failing, self._reason = False, None
        log.info("background work has recovered: %s", self._name)


@asynccontextmanager
async def run_in_background(
    work: dict[str, BackgroundWork], name: str, start: Callable[[], Coroutine[None, None, None]]
) -> AsyncGenerator[None]:
    """Run work for the duration of the block, listed in `work` under its name for the health checks."""
    work[name] = BackgroundWork(name, start)
    task = asyncio.create_task(work[name].run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def repeat_steps(
    seconds: float, *steps: Callable[[], Awaitable[object]], allowed: Callable[[], Awaitable[bool]] | None = None
) -> None:
    """Run these steps again and again, after pauses of `seconds`, each time only if `allowed` returns true.

    A step that the database refuses is left for the next time.
    """
    steps_and_outages = [(step, _outage_log()) for step in steps]
    permission_outages = _outage_log()
    while True:
        await asyncio.sleep(seconds)
        if allowed is None or await _run_step(allowed, permission_outages):
            for step, outages in steps_and_outages:
                await _run_step(step, outages)


def _outage_log() -> OutageLog:
    return OutageLog(log, "background work is postponed", "background work has recovered")


async def _run_step(step: Callable[[], Awaitable[Result]], outages: OutageLog) -> Result | None:
    """The result of a step; None after logging that the database refuses it."""
    try:
        result = await step()
    except (errors.Unavailable, SQLAlchemyError) as error:
        outages.report_failure(error)
        return None
    outages.report_success()
    return result
