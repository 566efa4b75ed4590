"""Entries of an answer log: events with their sequence number and the text up to each."""

import asyncio
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from app.rag import events
from app.rag.growing_text import GrowingText

# At least this many of the last entries of a running answer stay in memory; older ones are read from the database. At
# forty groups a second they cover more than a second and a half, and few readers are further behind.
KEPT_ENTRIES = 64

_LAST = (events.CompletedEvent, events.CancelledEvent, events.FailedEvent)


@dataclass(slots=True)
class LogEntry:
    """An event with its sequence number in the log. Sequence numbers start at 1 and have no gaps.

    Treat it as immutable: a frozen class takes twice as long to create, and each event has one.
    """

    sequence: int
    event: events.LoggedEvent
    _text: GrowingText
    _end: int

    @property
    def content(self) -> str:
        """The answer's text up to and including this event."""
        return self._text.value[: self._end]

    @property
    def is_last(self) -> bool:
        """Whether the log ends with this event."""
        return isinstance(self.event, _LAST)


class LogTail:
    """The last entries of a log, at least `kept` of them; all if `kept` is None. Begins after `length` entries.

    `is_gapless`: the stored sequence numbers have no gaps.
    """

    def __init__(self, kept: int | None = None, *, length: int = 0, text: str = "") -> None:
        self.entries: list[LogEntry] = []
        self.is_gapless = True
        self.length = length
        self._kept = kept
        # Of the answer, or of its part since a replacement.
        self._text = GrowingText(text)
        # Where the text ended after each entry since `_began`: a few bytes each, where an entry takes hundreds.
        self._began = length
        self._ends = array("I")

    @property
    def content(self) -> str:
        """The text after all events."""
        return self._text.value

    @property
    def dropped(self) -> int:
        """The sequence number of the last entry that was dropped; 0 if none was."""
        return self.length - len(self.entries)

    def entries_after(self, sequence: int) -> list[LogEntry]:
        """The entries after a sequence number, which must not be less than `dropped`."""
        return self.entries[sequence - self.dropped :]

    def begin_after(self, sequence: int) -> "LogTail":
        """An empty tail that starts after an entry, which may be dropped; at 0 if the text was replaced since."""
        if sequence <= self._began:
            return LogTail(self._kept)
        return LogTail(self._kept, length=sequence, text=self._text.value[: self._ends[sequence - self._began - 1]])

    def add_event(self, event: events.LoggedEvent) -> LogEntry:
        """Append an event; returns its entry."""
        if isinstance(event, events.DeltaEvent):
            self._text.append(event.text)
        elif isinstance(event, events.ReplacedEvent):
            self._text = GrowingText(event.content)
            self._began, self._ends = self.length, array("I")
        self.length += 1
        end = len(self._text)
        entry = LogEntry(self.length, event, self._text, end)
        self._ends.append(end)
        self.entries.append(entry)
        if self._kept is not None and len(self.entries) >= 2 * self._kept:
            del self.entries[: -self._kept]
        return entry


def text_after(text: str, later_events: Iterable[events.LoggedEvent]) -> str:
    """An answer's text after some more events."""
    parts = [text]
    for event in later_events:
        if isinstance(event, events.DeltaEvent):
            parts.append(event.text)
        elif isinstance(event, events.ReplacedEvent):
            parts = [event.content]
    return "".join(parts)


class WaitingReaders:
    """The readers that wait for the next change.

    `asyncio.Event` would ask for the running loop each time, which is a system call in Python 3.11.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: set[asyncio.Future[None]] = set()

    async def wait(self) -> None:
        """Wait for the next change."""
        waiting = self._loop.create_future()
        self._waiting.add(waiting)
        try:
            await waiting
        finally:
            self._waiting.discard(waiting)

    def wake(self) -> None:
        """Wake all of them, because something has changed."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)


@dataclass(eq=False)
class RunningLog:
    """A running answer's log.

    `final` are the message's final values, written with the last event. `has_first_event` and `has_first_text`: these
    have been appended. `is_started`: its first group has been written. `gone`: the answer was deleted, or another
    process ended it. `replaces`: once it is complete, it takes the place of the answer that is current until then.
    `possibly_stored`: how many of the `pending` events were in a write that failed. If the connection was lost on the
    way, they may be in the database all the same, so they stay as they are.
    """

    message_id: str
    replaces: bool = False
    pending: list[events.LoggedEvent] = field(default_factory=list[events.LoggedEvent])
    being_written: list[events.LoggedEvent] = field(default_factory=list[events.LoggedEvent])
    possibly_stored: int = 0
    final: dict[str, Any] | None = None
    is_started: bool = False
    has_first_event: bool = False
    has_first_text: bool = False
    gone: bool = False
    tail: LogTail = field(default_factory=lambda: LogTail(KEPT_ENTRIES))
    readers: WaitingReaders = field(default_factory=WaitingReaders)

    @property
    def is_closed(self) -> bool:
        """Whether nothing will follow."""
        return self.gone or (bool(self.tail.entries) and self.tail.entries[-1].is_last)

    @property
    def open_event(self) -> events.LoggedEvent | None:
        """The last pending event, if more may be merged into it."""
        return self.pending[-1] if len(self.pending) > self.possibly_stored else None

    @property
    def content(self) -> str:
        """The text after all events, whether they are written or not."""
        return text_after(self.tail.content, [*self.being_written, *self.pending])

    def take_pending(self) -> list[events.LoggedEvent]:
        """Take the pending events, so that nothing more is merged into them."""
        self.being_written, self.pending = self.pending, []
        return self.being_written

    def put_back(self) -> None:
        """Return the taken events to the pending ones, because writing them failed."""
        self.pending[:0] = self.being_written
        self.possibly_stored, self.being_written = len(self.being_written), []
