"""Downloads of original documents, piece by piece, for users who may read them.

A piece goes out when its reader has taken the one before: a slow reader costs one piece of memory and no transaction.
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
from app.services import Services, require_asker

log = logging.getLogger(__name__)

PATH = "/documents/{id}/original"
# Whatever the file is: a browser saves it, and neither shows nor runs it.
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "sandbox; default-src 'none'",
    "vary": "Authorization",
}


def url(global_id: str) -> str:
    """The path of a document's original on this server."""
    return PATH.format(id=global_id)


class Downloads:
    """The endpoint at PATH. `quota` bounds the downloads that run at once."""

    def __init__(self, quota: Quota, error_response: ErrorResponse) -> None:
        self._quota = quota
        self._error_response = error_response

    async def respond(self, request: Request) -> Response:
        """The newest version of a document as it was uploaded, or an error."""
        try:
            return await self._download(request)
        except (errors.Unauthenticated, errors.NotFound, errors.RateLimited, errors.Unavailable) as error:
            return self._error_response(request, error)

    async def _download(self, request: Request) -> Response:
        services: Services = request.state.services
        asker = require_asker(await services.authentication.authenticate(request.headers.get("authorization")))
        access = services.as_user(asker.user)
        global_id = request.path_params["id"]
        row_id = global_ids.find("Document", global_id)
        [row] = await access.documents.by_ids([row_id]) if row_id else [None]
        if row is None:
            raise errors.NotFound("document", global_id)
        holder = access.quota_holder
        self._quota.take(holder)
        release = partial(self._quota.give_back, holder)
        return _Download(access.documents.original_pieces(row), _headers(row), release)


def _headers(row: models.Document) -> dict[str, str]:
    """The file's name goes without the path that it may have come with."""
    name = (row.name or row.title).replace("\\", "/").rpartition("/")[2] or "document"
    return {
        **_HEADERS,
        "content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "content-length": str(row.bytes),
    }


class _Download(StreamingResponse):
    """The pieces. One whose document is deleted meanwhile breaks off short of its announced length."""

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
