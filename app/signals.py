"""Wake-ups: whoever has written something rings, and whoever waits for it looks again.

A ring carries no data: the database has it. Rings between two looks are one ring, and none is lost, because the
watcher is made before the look.
"""

import asyncio
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Protocol

LOOK_AGAIN_SECONDS = 1.0


class Watcher(Protocol):
    """Waits for rings on one topic."""

    async def wait(self) -> None:
        """Return at once when there was a ring since the last `wait`, else at the next one, or after a while without.

        Another process may have written without ringing here, so who waits looks again now and then.
        """
        ...


class Signal(Protocol):
    """Topics to ring and to watch."""

    def ring(self, topic: str) -> None:
        """Wake all who watch `topic`."""
        ...

    @contextmanager
    def watch(self, topic: str) -> Generator[Watcher]:
        """A watcher of `topic` that hears every ring from now on."""
        ...


class _EventWatcher:
    def __init__(self) -> None:
        self.event = asyncio.Event()

    async def wait(self) -> None:
        # Not `wait_for`: before Python 3.12 it loses a cancellation that comes just after a ring.
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_AGAIN_SECONDS):
                await self.event.wait()
        self.event.clear()


class LocalSignal:
    """Signals within this process."""

    def __init__(self) -> None:
        self._watchers: defaultdict[str, set[_EventWatcher]] = defaultdict(set)

    def ring(self, topic: str) -> None:
        """Wake all who watch `topic` in this process."""
        for watcher in self._watchers.get(topic, ()):
            watcher.event.set()

    @contextmanager
    def watch(self, topic: str) -> Generator[Watcher]:
        """A watcher of `topic` for the time of the block."""
        watcher = _EventWatcher()
        self._watchers[topic].add(watcher)
        try:
            yield watcher
        finally:
            self._watchers[topic].discard(watcher)
            if not self._watchers[topic]:
                del self._watchers[topic]
