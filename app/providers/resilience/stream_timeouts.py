"""How long each piece of a stream may take in; a cancellation of who waits longer out."""

import asyncio


class WaitTimer:
    """Cancels the task that waits too long, as `asyncio.timeout` does; one timer for all waits of a stream.

    A timer per piece would cost as much as all else that is done with it.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._until = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._rang = False

    def begin_wait(self, seconds: float) -> None:
        """A wait of at most so long begins."""
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task else 0
        self._until = self._loop.time() + seconds
        if self._timer is not None and self._timer.when() > self._until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self._loop.call_at(self._until, self._look)

    def end_wait(self) -> None:
        """What was waited for has come, or something else."""
        self._task = None

    def timed_out(self) -> bool:
        """Whether the wait that ended with a cancellation was ours to end, and nobody else has cancelled."""
        rang, self._rang = self._rang, False
        task = asyncio.current_task()
        return rang and task is not None and task.uncancel() <= self._cancelling

    def close(self) -> None:
        """No more waits."""
        self.end_wait()
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        self._timer = None
        if self._task is None:
            return  # the next wait sets it again
        if self._loop.time() < self._until:
            self._timer = self._loop.call_at(self._until, self._look)
        else:
            self._rang = True
            self._task.cancel()
