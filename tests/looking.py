"""Looking again for what nobody tells of. A pause between two looks leaves the processor to what is looked for."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

_SECONDS = 60

Found = TypeVar("Found")


async def until(happens: Callable[[], Awaitable[Found | None]]) -> Found:
    """What `happens` returns, as soon as that is true."""
    async with asyncio.timeout(_SECONDS):
        while not (found := await happens()):
            await pause()
        return found


async def pause() -> None:
    """Between two looks that are requests or statements."""
    await asyncio.sleep(0.02)


def pause_here() -> None:
    """Between two looks at a file or a process, from outside an event loop."""
    time.sleep(0.002)
