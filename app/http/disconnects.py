"""Run work that ends when its client disconnects."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress

from starlette.types import Receive


async def run_while_connected(
    work: Coroutine[None, None, None], receive: Receive, *, stop: asyncio.Event | None = None
) -> bool:
    """Run `work`; cancel it when the client disconnects or `stop` is set. Returns whether `stop` ended it.

    Starlette uses anyio's cancel scope, which skips tasks that are about to be woken, and so never ends one whose next
    event is always ready (no upstream issue). This cancels the task itself, and returns once it has ended.
    """
    working = asyncio.ensure_future(work)
    disconnected = asyncio.ensure_future(_wait_for_disconnect(receive))
    stopped = asyncio.ensure_future((stop or asyncio.Event()).wait())
    try:
        await asyncio.wait({working, disconnected, stopped}, return_when=asyncio.FIRST_COMPLETED)
        return stopped.done() and not (working.done() or disconnected.done())
    finally:
        disconnected.cancel()
        stopped.cancel()
        working.cancel()
        try:
            with suppress(asyncio.CancelledError):
                await working
        finally:
            del working, disconnected, stopped  # no cycle, see app/errors


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
