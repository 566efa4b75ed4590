"""Make the open streams of a server read at the same times.

Data that has arrived meanwhile is processed together, because the cost of a piece hardly depends on its length. Streams
that read at different times would wait twice: here, and for the answer log's next group. They read in two halves, so
that nothing has to wait for all of them.
"""

import asyncio
import math
from collections.abc import Generator
from contextlib import contextmanager

from app.providers.openai.http_connection import HTTPConnection

# Per open stream: with a few streams nobody waits; with many, they wait for about as long as their processing takes.
_SECONDS_EACH = 0.00036
_HALVES = 2


class ReadingTicks:
    """Schedules the times at which streams read."""

    def __init__(self) -> None:
        self._halves = [_Half(self, number / _HALVES) for number in range(_HALVES)]

    @contextmanager
    def open_stream(self) -> Generator["_Half"]:
        """Count a stream as open; yields the half that it belongs to."""
        half = min(self._halves, key=lambda one: one.streams)
        half.streams += 1
        try:
            yield half
        finally:
            half.streams -= 1

    @property
    def seconds(self) -> float:
        """The time between two reads of a stream."""
        return _SECONDS_EACH * sum(half.streams for half in self._halves)


class _Half:
    """Streams that read together; `phase` is their offset, as a fraction of a period."""

    def __init__(self, ticks: ReadingTicks, phase: float) -> None:
        self.streams = 0
        self._ticks = ticks
        self._phase = phase
        self._paused: list[HTTPConnection] = []

    def pause_until_next(self, connection: HTTPConnection) -> None:
        """Pause a connection until the next reading time."""
        if not self._paused:
            loop = asyncio.get_running_loop()
            period = self._ticks.seconds
            # The wait is usually a whole period, and at least half a period.
            periods = math.ceil(loop.time() / period - self._phase + 0.5)
            loop.call_at((periods + self._phase) * period, self._let_read)
        connection.pause_reading()
        self._paused.append(connection)

    def _let_read(self) -> None:
        paused, self._paused = self._paused, []
        for connection in paused:
            connection.resume_reading()
