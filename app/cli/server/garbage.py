"""Collect garbage rarely, but before it fills the memory.

Python's collector counts objects and ignores their size: an error that refers to itself through its traceback can keep
a request of several megabytes alive. Known cycles of this kind are avoided; libraries create others.
"""

import gc

# The bytes received between two collections of young objects, and of all objects.
YOUNG_EVERY_BYTES = 16_000_000
FULL_EVERY_BYTES = 64_000_000
# What each request or message counts for at least, because of the objects that handle it.
_BYTES_PER_MESSAGE = 4_000


class GarbageCollector:
    """Runs Python's collector after a certain number of bytes of requests."""

    def __init__(self) -> None:
        self._since_young = 0
        self._since_full = 0

    @staticmethod
    def tune() -> None:
        """Let the collector ignore existing objects, and run rarely."""
        gc.collect()
        # All objects so far live to the end. Scanning them for garbage again and again would take a fifth of the time.
        gc.freeze()
        # Most new objects are freed by reference counting. With the default threshold of 700 objects, 200 streams pause
        # for a tenth of a second almost every second.
        gc.set_threshold(50_000, 20, 50)

    def count_message(self) -> None:
        """A request or message has arrived."""
        self.count_received(_BYTES_PER_MESSAGE)

    def count_received(self, size: int) -> None:
        """Count bytes that have arrived, and collect if there are enough."""
        self._since_young += size
        if self._since_young < YOUNG_EVERY_BYTES:
            return
        self._since_full += self._since_young
        self._since_young = 0
        # Objects that were in use during a collection count as old, and are only examined by a full collection.
        if self._since_full >= FULL_EVERY_BYTES:
            self._since_full = 0
            gc.collect()
        else:
            gc.collect(1)
