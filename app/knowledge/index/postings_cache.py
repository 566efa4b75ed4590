"""Postings held in memory, up to a limit: those of the terms that were searched last."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from app.knowledge.index.postings import Postings

_BYTES_PER_TERM = 300


@dataclass(frozen=True, slots=True)
class HeldPostings:
    """The postings of a term in one version of its project's index."""

    version: int
    postings: Postings

    @property
    def bytes(self) -> int:
        """The memory they take, with what the cache needs for them."""
        return self.postings.bytes + _BYTES_PER_TERM


class PostingsCache:
    """Postings by term, whose prefix tells projects apart. Any thread may use it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._terms: OrderedDict[str, HeldPostings] = OrderedDict()

    @property
    def bytes(self) -> int:
        """The memory that all postings take."""
        return self._bytes

    def find(self, term: str) -> HeldPostings | None:
        """The postings of a term, perhaps of another version than the caller's."""
        with self._lock:
            held = self._terms.get(term)
            if held is not None:
                self._terms.move_to_end(term)
            return held

    def keep(self, term: str, held: HeldPostings) -> None:
        """Keep the postings of a term, unless those of a newer version are there."""
        with self._lock:
            former = self._terms.get(term)
            if former is not None and former.version > held.version:
                return
            self._bytes += held.bytes - (former.bytes if former is not None else 0)
            self._terms[term] = held
            self._terms.move_to_end(term)
            while self._bytes > self._max_bytes:
                self._bytes -= self._terms.popitem(last=False)[1].bytes
