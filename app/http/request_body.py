"""Request bodies with limits on size and time; the bytes in memory count against a quota."""

import asyncio
from typing import ClassVar

from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope

from app.quotas import Quota, Share

MAX_ANONYMOUS_BYTES = 20_000
"""Maximum size of a request, or of a message on a WebSocket, whose sender has shown no credential yet."""

# The time limit grows with each megabyte received: slow uploads pass, trickled ones do not.
_BYTES_PER_TIME_LIMIT = 1_000_000


class BodyError(Exception):
    """The body was not read to its end. `status` is that of the response, and `code` names the error to programs."""

    status: ClassVar[int]
    code: ClassVar[str]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class BodyTooLarge(BodyError):
    """The body, or its announced length, exceeds the limit."""

    status = 413
    code = "request_too_large"


class BodyTooSlow(BodyError):
    """The body did not arrive in time."""

    status = 408
    code = "request_timeout"


class BodyCompressed(BodyError):
    """The body is compressed, so its length does not bound its size."""

    status = 415
    code = "unsupported_content_encoding"


class RequestBody:
    """An ASGI `receive` that enforces the limits on one request's body."""

    def __init__(self, scope: Scope, receive: Receive, *, max_bytes: int, seconds: float) -> None:
        self._receive = receive
        self._max_bytes = max_bytes
        self._seconds = seconds
        headers = Headers(scope=scope)
        self._encoding = headers.get("content-encoding", "identity")
        length = headers.get("content-length", "")
        self._announced = int(length[:20]) if length.isdecimal() else 0
        self._size = 0
        self._began = asyncio.get_running_loop().time()
        self._complete = False
        self._share: Share | None = None
        self.holder: str | None = None

    def lower_limit(self, max_bytes: int) -> None:
        """Lower the size limit, once the sender is known."""
        self._max_bytes = min(self._max_bytes, max_bytes)

    def hold_quota(self, quota: Quota, holder: str | None) -> None:
        """Count the body, and its announced length, against a quota.

        Raises BodyTooLarge; RateLimited or Unavailable if the quota is exhausted.
        """
        self._check_size(self._announced)
        self.holder = holder
        self._share = Share(quota, holder)
        self._share.grow_to(self._announced)

    def close(self) -> None:
        """Give the quota back, when the request has been answered."""
        if self._share is not None:
            self._share.give_back()

    async def __call__(self) -> Message:
        """The next piece of the body; after the last one, messages about the client's connection.

        Raises a BodyError, and the errors of `hold_quota` if the body outgrows the quota.
        """
        if self._complete:
            return await self._receive()
        if self._encoding.lower() != "identity":
            raise BodyCompressed("Send the body without compression, and so without the header Content-Encoding.")
        self._check_size(self._announced)
        try:
            async with asyncio.timeout_at(self._began + self._seconds * (1 + self._size / _BYTES_PER_TIME_LIMIT)):
                message = await self._receive()
        except TimeoutError as error:
            raise BodyTooSlow(f"The request did not arrive within {self._seconds:g} seconds.") from error
        self._size += len(message.get("body", b""))
        self._check_size(self._size)
        if self._share is not None:
            self._share.grow_to(self._size)
        self._complete = not message.get("more_body", False)
        return message

    def _check_size(self, size: int) -> None:
        if size > self._max_bytes:
            raise BodyTooLarge(f"The request is larger than the {self._max_bytes:,} bytes allowed.")
