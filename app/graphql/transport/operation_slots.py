"""Run only so many operations of a user at once: the others wait, and take no memory for rows and results meanwhile."""

import asyncio
from weakref import WeakValueDictionary

_PER_USER = 32
# Where users do not sign in, all are the same one.
_OF_ALL = 128


class OperationSlots:
    """A slot is held from before an operation reads anything until its result has been sent.

    Subscriptions hold none: they wait most of the time.
    """

    def __init__(self) -> None:
        self._slots: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def of_user(self, user: str | None) -> asyncio.Semaphore:
        """The slots of a user; None: of everybody, without sign-in."""
        return self._slots.setdefault(user or "", asyncio.Semaphore(_PER_USER if user else _OF_ALL))
