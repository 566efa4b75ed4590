"""Choose the slot that has read most of a prompt: llama.cpp alone would give one session's slot to another."""

from collections.abc import Generator, Hashable, Sequence
from contextlib import contextmanager

# What all sessions begin with, such as the policy: no reason to take a slot from one of them.
_SHARED_MESSAGES = 1


class Slots:
    """The slots of a running model. A slot keeps what it has read until it reads another prompt."""

    def __init__(self, count: int) -> None:
        self._read: list[Sequence[Hashable]] = [()] * count
        self._free = list(range(count))
        """Those that are free, the one used longest ago first."""

    @contextmanager
    def use_slot(self, messages: Sequence[Hashable]) -> Generator[int]:
        """The number of the slot to answer these messages in; -1 if all are in use, and llama.cpp decides."""
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
        """How many messages at the beginning of `messages` a slot has read last."""
        pairs = list(zip(self._read[slot], messages, strict=False))
        return next((at for at, (read, message) in enumerate(pairs) if read != message), len(pairs))
