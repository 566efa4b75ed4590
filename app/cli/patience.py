"""Wait for a database that is briefly unavailable, as servers do."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from app import errors, services
from app.cli.running import err
from app.notifier.subscription import TopicSubscription

_PATIENCE_SECONDS = 60.0
_RETRY_SECONDS = 0.5
# How often to check whether background work continues, which is not notified because nothing is written.
_LOOK_SECONDS = 1.0

Result = TypeVar("Result")


async def outlast_outages(call: Callable[[], Awaitable[Result]]) -> Result:
    """The result of `call`, which is repeated while the database cannot be used. Raises Unavailable after a minute.

    A repeated call may find that its work is already done, by a commit whose reply was lost.
    """
    ends, told = time.monotonic() + _PATIENCE_SECONDS, False
    while True:
        try:
            return await call()
        except errors.Unavailable as error:
            if error.service != "database" or isinstance(error, errors.DatabaseLost) or time.monotonic() > ends:
                raise
            if not told:
                err.print(f"footnote: waiting for up to a minute: {error.message}", style="yellow")
                told = True
        await asyncio.sleep(_RETRY_SECONDS)


async def wait_for_progress(operator: services.OperatorAccess, changes: TopicSubscription) -> None:
    """Wait for a change made by background work, for a second at most.

    Raises Unavailable if the database has blocked that work for a minute, such as on a full disk.
    """
    operator.require_documents_progress(_PATIENCE_SECONDS)
    with suppress(TimeoutError):
        async with asyncio.timeout(_LOOK_SECONDS):
            await changes.wait()


async def yield_with_patience(
    operator: services.OperatorAccess, entries: AsyncIterator[Result]
) -> AsyncGenerator[Result]:
    """Yield the items. Raises Unavailable if the database has kept answers from being written for a minute."""
    while True:
        upcoming = asyncio.ensure_future(anext(entries, None))
        try:
            while not (await asyncio.wait([upcoming], timeout=_LOOK_SECONDS))[0]:
                operator.require_answers_progress(_PATIENCE_SECONDS)
        finally:
            upcoming.cancel()
            await asyncio.wait([upcoming])
        if (entry := upcoming.result()) is None:
            return
        yield entry
