"""Embedding spaces held in memory, up to a limit: those that were searched last."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from app.knowledge.index.held_vectors import HeldVectors

Update = Callable[[HeldVectors | None, int], HeldVectors | None]
"""The vectors of the version that the caller sees, or a part of them, from older ones; None if they take more bytes."""


@dataclass(slots=True)
class _Entry:
    vectors: HeldVectors | None = None
    too_large_version: int | None = None
    updating: threading.Lock = field(default_factory=threading.Lock)

    def find_version(self, version: int) -> HeldVectors | None:
        """The vectors if they are complete and of this version."""
        held = self.vectors
        return held if held is not None and held.version == version and held.is_complete else None


class VectorCache:
    """Vectors by embedding space. Any thread may use it; none waits for another.

    A space is loaded page by page, by the searches that ask for it; until it is complete, they search the database.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    @property
    def is_on(self) -> bool:
        """Whether anything may be held."""
        return self._max_bytes > 0

    @property
    def bytes(self) -> int:
        """The memory that all spaces take."""
        with self._lock:
            return self._sum_bytes()

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
        if (held := entry.find_version(version)) is not None:
            return held
        if entry.too_large_version == version or not entry.updating.acquire(blocking=False):
            return None
        try:
            return self._update_entry(space_id, entry, version, update)
        finally:
            entry.updating.release()

    def forget_spaces(self, space_ids: Collection[str]) -> None:
        """Free the memory of these spaces."""
        with self._lock:
            for space_id in space_ids:
                self._entries.pop(space_id, None)

    def _update_entry(self, space_id: str, entry: _Entry, version: int, update: Update) -> HeldVectors | None:
        held = entry.vectors
        # The transaction may have begun before that of the search that updated it.
        if held is None or held.version < version or (held.version == version and not held.is_complete):
            held = update(held, self._max_bytes)
            fits = held is not None and held.bytes <= self._max_bytes
            with self._lock:
                entry.vectors, entry.too_large_version = (held, None) if fits else (None, version)
                self._entries[space_id] = entry
                self._entries.move_to_end(space_id)
                self._remove_oldest()
        return entry.find_version(version)

    def _remove_oldest(self) -> None:
        excess = self._sum_bytes() - self._max_bytes
        for space_id, entry in list(self._entries.items())[:-1]:
            if excess <= 0:
                return
            excess -= entry.vectors.bytes if entry.vectors is not None else 0
            del self._entries[space_id]

    def _sum_bytes(self) -> int:
        return sum(entry.vectors.bytes for entry in self._entries.values() if entry.vectors is not None)
