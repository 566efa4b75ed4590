"""Collect garbage rarely, but before it fills the memory.

The collector of Python counts objects, and not how large they are: an error that refers to itself through its traceback
can hold a request of several megabytes. Such cycles are avoided where they are known; libraries make others.
"""

import gc

# Between two collections of young objects, and of all.
YOUNG_EVERY_BYTES = 16_000_000
FULL_EVERY_BYTES = 64_000_000
# The minimum that a request or message counts for: the objects that handle it.
_BYTES_PER_MESSAGE = 4_000


class GarbageCollector:
    """Runs Python's collector after so many bytes of requests."""

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
        # What was in use during a collection counts as old, and is looked at only when all is.
        if self._since_full >= FULL_EVERY_BYTES:
            self._since_full = 0
            gc.collect()
        else:
            gc.collect(1)
