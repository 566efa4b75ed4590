"""Embedding spaces held in memory, up to a limit: those that were searched last."""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import takewhile

from app.knowledge.index.held_vectors import HeldVectors

Update = Callable[[HeldVectors | None, int], HeldVectors | None]
"""The vectors of the version that the caller sees, or a part of them, from older ones; None if they take more bytes."""

# A space searched within this time keeps its place: spaces that fit one at a time but not together would otherwise
# replace each other at every search, and be read from the database again and again.
IDLE_SECONDS = 30.0


@dataclass(slots=True)
class _Entry:
    vectors: HeldVectors | None = None
    searched: float = 0.0
    refused_version: int | None = None
    refused_room: int = 0
    updating: threading.Lock = field(default_factory=threading.Lock)

    @property
    def bytes(self) -> int:
        return self.vectors.bytes if self.vectors is not None else 0

    def find_version(self, version: int) -> HeldVectors | None:
        """The vectors if they are complete and of this version."""
        held = self.vectors
        return held if held is not None and held.version == version and held.is_complete else None

    def is_refused(self, version: int, room: int) -> bool:
        """Whether this version is known to take more bytes than that."""
        return self.refused_version == version and room <= self.refused_room


class VectorCache:
    """Vectors by embedding space. Any thread may use it; none waits for another.

    A space is loaded page by page, by the searches that ask for it; until it is complete, they search the database. It
    is loaded only if it fits beside the spaces that were searched in the last `IDLE_SECONDS`; the others make room.
    """

    def __init__(self, max_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._lock = threading.Lock()
        # The one that was searched last at the end.
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        # Of all entries: there may be thousands, and each update needs to know.
        self._bytes = 0

    @property
    def is_on(self) -> bool:
        """Whether anything may be held."""
        return self._max_bytes > 0

    @property
    def bytes(self) -> int:
        """The memory that all spaces take."""
        return self._bytes

    @property
    def space_ids(self) -> list[str]:
        """The spaces, the one that was searched last at the end."""
        with self._lock:
            return list(self._entries)

    def is_held(self, space_id: str) -> bool:
        """Whether the whole space is in memory, though perhaps not its newest version."""
        with self._lock:
            entry = self._entries.get(space_id)
        return entry is not None and entry.vectors is not None and entry.vectors.is_complete

    def open_space(self, space_id: str, version: int, update: Update) -> HeldVectors | None:
        """Exactly this version of a space; None if it is not in memory, or not all of it yet."""
        with self._lock:
            entry = self._entries.setdefault(space_id, _Entry())
            self._entries.move_to_end(space_id)
            entry.searched = self._clock()
            if (held := entry.find_version(version)) is not None:
                return held
            room = self._find_room(entry)
        if entry.is_refused(version, room) or not entry.updating.acquire(blocking=False):
            return None
        try:
            return self._update_entry(space_id, entry, version, room, update)
        finally:
            entry.updating.release()

    def choose_spaces(self, most: int) -> set[str]:
        """Some of the spaces, by chance; all if there are no more than `most`."""
        with self._lock:
            return set(random.sample(list(self._entries), min(most, len(self._entries))))

    def forget_spaces(self, space_ids: Collection[str]) -> None:
        """Free the memory of these spaces."""
        with self._lock:
            for space_id in space_ids:
                if (entry := self._entries.pop(space_id, None)) is not None:
                    self._bytes -= entry.bytes

    def _update_entry(
        self, space_id: str, entry: _Entry, version: int, room: int, update: Update
    ) -> HeldVectors | None:
        held = entry.vectors
        # The transaction may have begun before that of the search that updated it.
        if held is None or held.version < version or (held.version == version and not held.is_complete):
            held = update(held, room)
            with self._lock:
                # The space may have been removed meanwhile.
                if self._entries.get(space_id) is entry:
                    self._store_vectors(entry, version, room, held)
        return entry.find_version(version)

    def _store_vectors(self, entry: _Entry, version: int, room: int, held: HeldVectors | None) -> None:
        if held is not None:
            room = self._find_room(entry)  # other spaces may have been loaded meanwhile
        if held is None or held.bytes > room:
            self._hold(entry, None)
            entry.refused_version, entry.refused_room = version, room
            return
        self._hold(entry, held)
        entry.refused_version = None
        self._remove_idle(entry)

    def _hold(self, entry: _Entry, held: HeldVectors | None) -> None:
        self._bytes -= entry.bytes
        entry.vectors = held
        self._bytes += entry.bytes

    def _find_room(self, entry: _Entry) -> int:
        """The bytes that this space may take: all but those of the others that were searched lately."""
        lately = takewhile(lambda other: not self._is_idle(other), reversed(self._entries.values()))
        return self._max_bytes - sum(other.bytes for other in lately if other is not entry)

    def _is_idle(self, entry: _Entry) -> bool:
        return self._clock() - entry.searched >= IDLE_SECONDS

    def _remove_idle(self, kept: _Entry) -> None:
        """Remove other spaces, those searched longest ago first, until the rest fits."""
        while self._bytes > self._max_bytes:
            space_id = next(id for id, entry in self._entries.items() if entry is not kept)
            self._bytes -= self._entries.pop(space_id).bytes
