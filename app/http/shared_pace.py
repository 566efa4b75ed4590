"""Yield the event loop from a task that may never have to wait."""

import asyncio

_LONGEST_SECONDS = 0.005


class SharedPace:
    """Lets others run when a task has kept the event loop for a while, and only then.

    A task that waits between its steps shares the loop anyway. For it, one more wait would only mean that tasks
    waiting for the same lock queue up behind it.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._start()

    def _start(self) -> None:
        self._since = self._loop.time()
        self._others_ran = False
        self._loop.call_soon(self._record_others)

    def _record_others(self) -> None:
        self._others_ran = True

    async def let_others_run(self) -> None:
        """Yield to the event loop if no other task has run for too long."""
        if self._others_ran:
            self._start()
        elif self._loop.time() - self._since > _LONGEST_SECONDS:
            await asyncio.sleep(0)
            self._start()
