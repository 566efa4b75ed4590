"""Entries of an answer log: events with their sequence and the text up to each."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from app.rag import events

# So many of the last entries of a running answer are in memory, at least; who wants older ones reads the database. At
# forty groups a second that is more than six seconds, and few readers are further behind.
KEPT = 256

_LAST = (events.CompletedEvent, events.CancelledEvent, events.FailedEvent)


class _Text:
    """The text of an answer up to a replacement; grows while the answer does."""

    def __init__(self, value: str = "") -> None:
        self.value = value


@dataclass(frozen=True, slots=True)
class LogEntry:
    """An event with its place in the log; sequences start at 1 and have no gaps."""

    sequence: int
    event: events.LoggedEvent
    _text: _Text
    _end: int

    @property
    def content(self) -> str:
        """The answer's text up to and including this event."""
        return self._text.value[: self._end]

    @property
    def last(self) -> bool:
        """Whether the log ends with this event."""
        return isinstance(self.event, _LAST)


class Tail:
    """Entries in order, all or the last of them; `gapless`: the sequences stored are those given.

    `kept`: how many of the last to have at least.
    """

    def __init__(self, kept: int | None = None) -> None:
        self.entries: list[LogEntry] = []
        self.gapless = True
        self.length = 0
        self._kept = kept
        self._text = _Text()

    @property
    def content(self) -> str:
        """The text that all events make."""
        return self._text.value

    @property
    def dropped(self) -> int:
        """The sequence of the last entry that is not here any more; 0 when all are."""
        return self.length - len(self.entries)

    def after(self, sequence: int) -> list[LogEntry]:
        """The entries after a sequence that is not less than `dropped`."""
        return self.entries[sequence - self.dropped :]

    def add(self, event: events.LoggedEvent) -> LogEntry:
        """The entry of what has happened next."""
        if isinstance(event, events.DeltaEvent):
            self._text.value += event.text
        elif isinstance(event, events.ReplacedEvent):
            self._text = _Text(event.content)
        self.length += 1
        entry = LogEntry(self.length, event, self._text, len(self._text.value))
        self.entries.append(entry)
        if self._kept is not None and len(self.entries) >= 2 * self._kept:
            del self.entries[: -self._kept]
        return entry


@dataclass(eq=False)
class RunningLog:
    """A running answer's log.

    `final` are the message's last values, written with the last event; `heard`: its first words are on their way.
    `replaces` are the answers that leave the history when this one is whole.
    """

    message_id: str
    replaces: tuple[str, ...] = ()
    pending: list[events.LoggedEvent] = field(default_factory=list[events.LoggedEvent])
    final: dict[str, Any] | None = None
    started: bool = False
    heard: bool = False
    gone: bool = False
    tail: Tail = field(default_factory=lambda: Tail(KEPT))
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def closed(self) -> bool:
        """Whether nothing will follow."""
        return self.gone or (bool(self.tail.entries) and self.tail.entries[-1].last)

    def take(self) -> list[events.LoggedEvent]:
        """What is pending; nothing is joined to it any more."""
        taken, self.pending = self.pending, []
        return taken

    def wake(self) -> None:
        """Let all readers look again."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()
