"""Downloads of original documents, piece by piece, for users who may read them.

A piece is read when the previous one has been sent: a slow client takes one piece of memory and holds no transaction.
"""

import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app import errors, global_ids
from app.database import models
from app.http.error_responses import ErrorResponse
from app.quotas import Quota
from app.services import Services, require_caller

log = logging.getLogger(__name__)

PATH = "/documents/{id}/original"
# Browsers save the file, whatever its type, and neither show nor run it.
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "sandbox; default-src 'none'",
    "vary": "Authorization",
}


def original_path(global_id: str) -> str:
    """The path to download a document's original from."""
    return PATH.format(id=global_id)


class Downloads:
    """The endpoint at PATH. `quota` limits the downloads at once."""

    def __init__(self, quota: Quota, error_response: ErrorResponse) -> None:
        self._quota = quota
        self._error_response = error_response

    async def respond(self, request: Request) -> Response:
        """The original of a document's newest version, or an error."""
        try:
            return await self._start_download(request)
        except (errors.Unauthenticated, errors.NotFound, errors.RateLimited, errors.Unavailable) as error:
            return self._error_response(request, error)

    async def _start_download(self, request: Request) -> Response:
        services: Services = request.state.services
        caller = require_caller(await services.authentication.authenticate(request.headers.get("authorization")))
        access = services.as_user(caller.user)
        global_id = request.path_params["id"]
        row_id = global_ids.find("Document", global_id)
        [row] = await access.documents.by_ids([row_id]) if row_id else [None]
        if row is None:
            raise errors.NotFound("document", global_id)
        holder = access.quota_holder
        self._quota.take(holder)
        release = partial(self._quota.give_back, holder)
        return _Download(access.documents.original_pieces(row), _response_headers(row), release)


def _response_headers(row: models.Document) -> dict[str, str]:
    """The response headers. The file name is sent without its path."""
    name = (row.name or row.title).replace("\\", "/").rpartition("/")[2] or "document"
    return {
        **_HEADERS,
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "content-length": str(row.bytes),
    }


class _Download(StreamingResponse):
    """Streams the pieces. If the document is deleted meanwhile, the response ends before its announced length."""

    def __init__(self, pieces: AsyncGenerator[bytes], headers: Mapping[str, str], release: Callable[[], None]) -> None:
        super().__init__(pieces, media_type="application/octet-stream", headers=headers)
        self._pieces = pieces
        self._release = release

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        left = int(self.headers["content-length"])
        async with aclosing(self._pieces):
            async for piece in self._pieces:
                left -= len(piece)
                await send({"type": "http.response.body", "body": piece, "more_body": left > 0})
        if left:
            log.warning("a document was deleted or replaced while it was being downloaded; the download was aborted")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._release()
