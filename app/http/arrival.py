"""The arrival of a request's body, bounded in bytes and in time; what is here is held in a quota."""

import asyncio

from cross_web import HTTPException
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from app.quotas import Quota, Share

# A large body gets its time anew for each of these, so that a slow line may carry a large file, but not drip it.
_BYTES_PER_TURN = 1_000_000


class Arrival:
    """Receives one request's body. Raises HTTPException: 413 when it is too large, 408 when it is too slow."""

    def __init__(self, scope: Scope, receive: Receive, *, max_bytes: int, seconds: float) -> None:
        self._receive = receive
        self._max_bytes = max_bytes
        self._seconds = seconds
        self._announced = Headers(scope=scope).get("content-length", "")
        self._size = 0
        self._began = asyncio.get_running_loop().time()
        self._is_here = False
        self._share: Share | None = None

    def hold(self, quota: Quota, holder: str | None) -> None:
        """Hold what comes, and what is announced, in a quota. Raises RateLimited or Unavailable when that is full."""
        self._share = Share(quota, holder)
        self._share.grow(min(int(self._announced[:20]), self._max_bytes) if self._announced.isdecimal() else 0)

    def give_back(self) -> None:
        """The request has been answered."""
        if self._share is not None:
            self._share.give_back()

    def bound(self, max_bytes: int) -> None:
        """Allow no more than so many, now that it is known who sends them."""
        self._max_bytes = min(self._max_bytes, max_bytes)

    async def __call__(self) -> Message:
        """The next piece; after the last one, whether the client is still there."""
        if self._is_here:
            return await self._receive()
        if self._announced.isdecimal() and int(self._announced[:20]) > self._max_bytes:
            raise self._too_large()
        try:
            async with asyncio.timeout_at(self._began + self._seconds * (1 + self._size / _BYTES_PER_TURN)):
                message = await self._receive()
        except TimeoutError as error:
            raise HTTPException(408, f"The request did not arrive within {self._seconds:g} seconds.") from error
        self._size += len(message.get("body", b""))
        if self._size > self._max_bytes:
            raise self._too_large()
        if self._share is not None:
            self._share.grow(self._size)
        self._is_here = not message.get("more_body", False)
        return message

    def _too_large(self) -> HTTPException:
        return HTTPException(413, f"The request is larger than the {self._max_bytes:,} bytes that are allowed.")
