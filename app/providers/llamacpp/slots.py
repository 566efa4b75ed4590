"""Choose the slot that has cached most of a prompt: by itself, llama.cpp would give one session's slot to another."""

from collections.abc import Generator, Hashable, Sequence
from contextlib import contextmanager

# Messages that all sessions begin with, such as the policy, are no reason to take another session's slot.
_SHARED_MESSAGES = 1


class Slots:
    """The slots of a running model. A slot caches what it has read until it reads another prompt."""

    def __init__(self, count: int) -> None:
        self._read: list[Sequence[Hashable]] = [()] * count
        self._free = list(range(count))
        """The free slots, least recently used first."""

    @contextmanager
    def use_slot(self, messages: Sequence[Hashable]) -> Generator[int]:
        """Reserve a slot for these messages and yield its number; -1 if all are in use: then llama.cpp decides."""
        if not self._free:
            yield -1
            return
        slot = max(self._free, key=lambda free: self._count_read(free, messages))
        if self._count_read(slot, messages) <= _SHARED_MESSAGES:
            slot = self._free[0]
        self._free.remove(slot)
        self._read[slot] = tuple(messages)
        try:
            yield slot
        finally:
            self._free.append(slot)

    def _count_read(self, slot: int, messages: Sequence[Hashable]) -> int:
        """How many of the first messages a slot has in its cache."""
        pairs = list(zip(self._read[slot], messages, strict=False))
        return next((at for at, (read, message) in enumerate(pairs) if read != message), len(pairs))
