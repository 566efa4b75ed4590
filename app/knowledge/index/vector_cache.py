"""A memory cache for the most recently searched embedding spaces."""

import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import takewhile

from app.knowledge.index.vector_snapshot import VectorSnapshot

Update = Callable[[VectorSnapshot | None, int], VectorSnapshot | None]
"""Brings an older snapshot, or None, closer to the caller's version; returns None if it would exceed these bytes."""

# A space searched within this time is not evicted: spaces that fit only one at a time would otherwise replace each
# other at every search, and be read from the database again and again.
IDLE_SECONDS = 30.0


@dataclass(slots=True)
class _Entry:
    vectors: VectorSnapshot | None = None
    searched: float = 0.0
    refused_version: int | None = None
    refused_bytes: int = 0
    updating: threading.Lock = field(default_factory=threading.Lock)

    @property
    def bytes(self) -> int:
        return self.vectors.bytes if self.vectors is not None else 0

    def find_version(self, version: int) -> VectorSnapshot | None:
        """The snapshot, if it is complete and of this version."""
        snapshot = self.vectors
        return snapshot if snapshot is not None and snapshot.version == version and snapshot.is_complete else None

    def is_refused(self, version: int, available_bytes: int) -> bool:
        """Whether this version is known not to fit into `available_bytes`."""
        return self.refused_version == version and available_bytes <= self.refused_bytes


class VectorCache:
    """Vector snapshots by embedding space. Thread-safe; no thread waits for another.

    A space is loaded page by page, by the searches that need it; until it is complete, they search the database. It is
    loaded only if it fits alongside the spaces searched in the last `IDLE_SECONDS`; others are evicted.
    """

    def __init__(self, max_bytes: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._lock = threading.Lock()
        # In the order of their last search.
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        # The total of all entries: there may be thousands, and each update needs it.
        self._bytes = 0

    @property
    def is_on(self) -> bool:
        """Whether the cache may hold anything."""
        return self._max_bytes > 0

    @property
    def bytes(self) -> int:
        """The memory used by all spaces."""
        return self._bytes

    @property
    def space_ids(self) -> list[str]:
        """The spaces, in the order of their last search."""
        with self._lock:
            return list(self._entries)

    def is_loaded(self, space_id: str) -> bool:
        """Whether a complete snapshot of the space is in memory, possibly of an older version."""
        with self._lock:
            entry = self._entries.get(space_id)
        return entry is not None and entry.vectors is not None and entry.vectors.is_complete

    def open_space(self, space_id: str, version: int, update: Update) -> VectorSnapshot | None:
        """Exactly this version of a space; None if it is not, or not completely, in memory."""
        with self._lock:
            entry = self._entries.setdefault(space_id, _Entry())
            self._entries.move_to_end(space_id)
            entry.searched = self._clock()
            if (snapshot := entry.find_version(version)) is not None:
                return snapshot
            available_bytes = self._find_available_bytes(entry)
        if entry.is_refused(version, available_bytes) or not entry.updating.acquire(blocking=False):
            return None
        try:
            return self._update_entry(space_id, entry, version, available_bytes, update)
        finally:
            entry.updating.release()

    def choose_spaces(self, limit: int) -> set[str]:
        """A random sample of at most `limit` spaces."""
        with self._lock:
            return set(random.sample(list(self._entries), min(limit, len(self._entries))))

    def forget_spaces(self, space_ids: Collection[str]) -> None:
        """Free the memory of these spaces."""
        with self._lock:
            for space_id in space_ids:
                if (entry := self._entries.pop(space_id, None)) is not None:
                    self._bytes -= entry.bytes

    def _update_entry(
        self, space_id: str, entry: _Entry, version: int, available_bytes: int, update: Update
    ) -> VectorSnapshot | None:
        snapshot = entry.vectors
        # The snapshot may be newer: another search, whose transaction began later, may have updated it.
        if snapshot is None or snapshot.version < version or (snapshot.version == version and not snapshot.is_complete):
            snapshot = update(snapshot, available_bytes)
            with self._lock:
                # The space may have been removed meanwhile.
                if self._entries.get(space_id) is entry:
                    self._store_vectors(entry, version, available_bytes, snapshot)
        return entry.find_version(version)

    def _store_vectors(
        self, entry: _Entry, version: int, available_bytes: int, snapshot: VectorSnapshot | None
    ) -> None:
        if snapshot is not None:
            available_bytes = self._find_available_bytes(entry)  # other spaces may have been loaded meanwhile
        if snapshot is None or snapshot.bytes > available_bytes:
            self._replace_snapshot(entry, None)
            entry.refused_version, entry.refused_bytes = version, available_bytes
            return
        self._replace_snapshot(entry, snapshot)
        entry.refused_version = None
        self._evict_others(entry)

    def _replace_snapshot(self, entry: _Entry, snapshot: VectorSnapshot | None) -> None:
        self._bytes -= entry.bytes
        entry.vectors = snapshot
        self._bytes += entry.bytes

    def _find_available_bytes(self, entry: _Entry) -> int:
        """The bytes that this space may use: all that recently searched spaces leave."""
        recent = takewhile(lambda other: not self._is_idle(other), reversed(self._entries.values()))
        return self._max_bytes - sum(other.bytes for other in recent if other is not entry)

    def _is_idle(self, entry: _Entry) -> bool:
        return self._clock() - entry.searched >= IDLE_SECONDS

    def _evict_others(self, entry: _Entry) -> None:
        """Evict other spaces, least recently searched first, until the rest fits."""
        while self._bytes > self._max_bytes:
            space_id = next(id for id, other in self._entries.items() if other is not entry)
            self._bytes -= self._entries.pop(space_id).bytes
