"""Limit how many operations of a user run at once: the others wait, and take no memory for rows and results yet."""

import asyncio
from typing import cast
from weakref import WeakValueDictionary

from starlette.requests import Request

from app.http.request_body import RequestBody

_PER_USER = 32
# If users do not sign in, they all share one.
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

    async def take(self, request: Request) -> None:
        """Wait for a slot, which is the request's until it is released."""
        slot = self.of_user(cast("RequestBody", request.receive).holder)
        await slot.acquire()
        request.state.operation_slot = slot

    def release(self, request: Request) -> None:
        """Give back the request's slot, if it has one."""
        slot: asyncio.Semaphore | None = getattr(request.state, "operation_slot", None)
        if slot is not None:
            slot.release()
