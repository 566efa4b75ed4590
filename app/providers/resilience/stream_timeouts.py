"""Limit the wait for each piece of a stream with a single timer."""

import asyncio


class WaitTimer:
    """Cancels a task that waits too long, like `asyncio.timeout`, but with one timer for all waits of a stream.

    A timer per piece would cost as much as all other processing of the piece.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._rang = False

    def begin_wait(self, seconds: float) -> None:
        """Start a wait of at most `seconds`."""
        self._task = asyncio.current_task(self._loop)  # without it, finding the loop takes a system call
        self._cancelling = self._task.cancelling() if self._task else 0
        self._until = self._loop.time() + seconds
        if self._timer is not None and self._timer.when() > self._until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self._loop.call_at(self._until, self._check)

    def end_wait(self) -> None:
        """End the wait."""
        self._task = None

    def timed_out(self) -> bool:
        """Whether this timer, and nobody else, cancelled the wait."""
        rang, self._rang = self._rang, False
        task = asyncio.current_task(self._loop)
        return rang and task is not None and task.uncancel() <= self._cancelling

    def close(self) -> None:
        """Stop the timer."""
        self.end_wait()
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        self._timer = None
        if self._task is None:
            return  # the next wait starts it again
        if self._loop.time() < self._until:
            self._timer = self._loop.call_at(self._until, self._check)
        else:
            self._rang = True
            self._task.cancel()
