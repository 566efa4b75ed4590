"""Downloads: the newest version of a document as it was given, for who may read it.

It goes out piece by piece, as fast as its reader takes it: a slow one costs a piece of memory and holds no transaction.
"""

import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app import errors as app_errors
from app.database import models
from app.graphql import ids
from app.graphql.options import Options
from app.graphql.transport import credentials
from app.graphql.transport.refusals import refusal
from app.services import Services

log = logging.getLogger(__name__)

PATH = "/documents/{id}/original"
# Whatever the file is: a browser keeps it, and neither shows nor runs it.
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "sandbox; default-src 'none'",
    "vary": "Authorization",
}


def url(global_id: str) -> str:
    """Where the original of a document is, on this server."""
    return PATH.format(id=global_id)


class Originals:
    """The endpoint at PATH."""

    def __init__(self, options: Options) -> None:
        self._options = options

    async def __call__(self, request: Request) -> Response:
        """The bytes, or an error in the shape of the other door."""
        services: Services = request.state.services
        try:
            return await self._found(request, services)
        except app_errors.Unauthenticated as error:
            return refusal(request, 401, error.message, error.code)
        except app_errors.NotFound as error:
            return refusal(request, 404, error.message, error.code)
        except app_errors.RateLimited as error:
            return refusal(request, 429, error.message, error.code, retry_after_ms=error.retry_after_ms)
        except app_errors.Unavailable as error:
            return refusal(request, 503, error.message, error.code, retry_after_ms=error.retry_after_ms)

    async def _found(self, request: Request, services: Services) -> Response:
        asker = await self._options.identify(services, credentials.credential_in(request.headers))
        if asker is None:
            raise app_errors.Unauthenticated("Sign in first: this needs “Authorization: Bearer” with a token.")
        documents = services.allowed(asker.user).documents
        global_id = request.path_params["id"]
        [row] = await documents.by_ids([ids.read("Document", global_id)])
        if row is None:
            raise app_errors.NotFound("document", global_id)
        named = quote(_name(row), safe="")
        headers = {
            **_HEADERS,
            "content-disposition": f"attachment; filename*=UTF-8''{named}",
            "content-length": str(row.bytes),
        }
        holder = credentials.holder(asker, services)
        self._options.downloads.take(holder)
        return _Download(documents.original_pieces(row), headers, partial(self._options.downloads.give_back, holder))


class _Download(StreamingResponse):
    """The pieces. One whose document goes meanwhile breaks off: its length was announced, so that its reader knows."""

    def __init__(
        self, pieces: AsyncGenerator[bytes], headers: Mapping[str, str], give_back: Callable[[], None]
    ) -> None:
        super().__init__(pieces, media_type="application/octet-stream", headers=headers)
        self._pieces = pieces
        self._give_back = give_back

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        left = int(self.headers["content-length"])
        async with aclosing(self._pieces):
            async for piece in self._pieces:
                left -= len(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": left > 0})
        if left:
            log.warning("a document was deleted or replaced while it was downloaded; the download was broken off")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._give_back()


def _name(row: models.Document) -> str:
    """A name for the file, without the path that it may have come with."""
    return (row.name or row.title).replace("\\", "/").rpartition("/")[2] or "document"
