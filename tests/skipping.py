"""An event loop whose clock a test can move forward, so that nobody has to wait for timers."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

# Real time for threads, such as those of a database, to finish what a timer began.
_REST_SECONDS = 0.02


class SkippingLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock that `skip` moves forward."""

    skipped = 0.0

    def time(self) -> float:
        """The time by which timers go."""
        return super().time() + self.skipped


async def skip(seconds: float) -> None:
    """Move the clock forward, and let every timer until then go off."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    loop.skipped += seconds
    await asyncio.sleep(_REST_SECONDS)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a test in such a loop."""
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        return runner.run(work)
