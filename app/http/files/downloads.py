"""Downloads of original documents, whole or in part, and pictures of their pages, for users who may read them.

A piece is read when the previous one has been sent: a slow client takes one piece of memory and holds no transaction.
Parts are ranges of bytes: viewers of PDFs and players of videos ask for what they show.
A request has a credential, or a signed URL. Browsers can show what a signed URL leads to on pages of any origin, but in
frames only on this server's pages and those of origins that may call the API; and no script in it runs.
"""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from http import HTTPStatus
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app import errors, global_ids
from app.accounts.links import SIGNATURE
from app.concurrency import ConcurrencyLimiter
from app.database import models
from app.http.error_responses import ErrorResponse
from app.http.files.byte_ranges import RangeNotSatisfiable, requested_range
from app.quotas import Quota
from app.services import Services, UserAccess, require_caller

log = logging.getLogger(__name__)

_FOLDER = "/documents/"
PATH = f"{_FOLDER}{{id}}/original"
PAGE_PATH = f"{_FOLDER}{{id}}/pages/{{number}}"
DEFAULT_WIDTH = 1_000
MAX_WIDTH = 2_000
"""The widest picture of a page, in dots."""
# Most pictures take a tenth of a second, and the slowest ten seconds.
_MAX_WAITING_PICTURES = 64
_PICTURE_SECONDS = 30.0
RANGE_HEADERS = ["Accept-Ranges", "Content-Range", "ETag"]
"""The headers that pages of other origins must be able to read to request parts."""
# Browsers save the file, whatever its type, and neither show nor run it.
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "sandbox; default-src 'none'",
    "vary": "Authorization",
}
_SANDBOX = "sandbox; default-src 'none'; "
# Signed URLs show these media types, with these policies. A browser's PDF viewer does not work in a sandbox.
_SHOWN_TYPES = {
    "application/pdf": "",
    **dict.fromkeys(("image/gif", "image/jpeg", "image/png", "image/webp", "text/plain"), _SANDBOX),
}


def original_path(global_id: str) -> str:
    """The path to download a document's original from."""
    return PATH.format(id=global_id)


def page_path(global_id: str, number: int) -> str:
    """The path to a picture of a document's page."""
    return PAGE_PATH.format(id=global_id, number=number)


def is_signed(scope: Scope) -> bool:
    """Whether a request is for a signed URL, whose signature is checked when it is opened."""
    return scope["type"] == "http" and scope["path"].startswith(_FOLDER) and _is_signed(Request(scope))


class Downloads:
    """The endpoints at PATH and PAGE_PATH. `quota` limits the downloads at once; pictures are drawn one by one.

    Pages of the `origins` may show them in frames.
    """

    def __init__(self, quota: Quota, error_response: ErrorResponse, origins: Sequence[str]) -> None:
        self._quota = quota
        self._framing = " ".join(["frame-ancestors 'self'", *origins])
        self._error_response = error_response
        self._drawing = ConcurrencyLimiter(
            "Page drawing",
            at_once=1,
            seconds=_PICTURE_SECONDS,
            queued_per_slot=_MAX_WAITING_PICTURES,
            busy_error=_drawing_unavailable,
        )

    async def respond(self, request: Request) -> Response:
        """The original of a document's newest version, or an error."""
        return await self._respond(request, self._start_download)

    async def respond_page(self, request: Request) -> Response:
        """A picture of a page of a document's newest version, or an error."""
        return await self._respond(request, self._draw_page)

    async def _respond(self, request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        try:
            return await answer(request)
        except (errors.Unauthenticated, errors.NotFound, errors.RateLimited, errors.Unavailable) as error:
            return self._error_response(request, error)

    async def _start_download(self, request: Request) -> Response:
        access, row = await _find_document(request)
        shown = _SHOWN_TYPES.get(row.media_type) if _is_signed(request) else None
        media_type, headers = _response_headers(row, policy=None if shown is None else shown + self._framing)
        if _has_tag(request.headers.get("if-none-match"), headers["etag"]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        try:
            part = requested_range(request.method, request.headers, row.bytes, headers["etag"])
        except RangeNotSatisfiable:
            reason = f"The document has {row.bytes} bytes, and none in the requested range."
            outside = {**_HEADERS, "content-range": f"bytes */{row.bytes}"}
            return PlainTextResponse(reason, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, outside)
        positions, status = part or range(row.bytes), HTTPStatus.OK
        if part is not None:
            status = HTTPStatus.PARTIAL_CONTENT
            headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{row.bytes}"
        headers["content-length"] = f"{len(positions)}"
        if request.method == "HEAD" or not positions:
            return Response(status_code=status, media_type=media_type, headers=headers)
        holder = access.quota_holder
        self._quota.take(holder)
        pieces, release = access.documents.stream_original(row, positions), partial(self._quota.give_back, holder)
        return _Download(pieces, status, media_type, headers, release)

    async def _draw_page(self, request: Request) -> Response:
        access, row = await _find_document(request)
        number, width = _whole_number(request.path_params["number"]), request.query_params.get("width")
        dots = DEFAULT_WIDTH if width is None else _whole_number(width)
        picture = None
        if number and dots:
            async with self._drawing.hold_slot((access.quota_holder or "", row.project_id)):
                picture = await access.documents.draw_page(row, number, min(dots, MAX_WIDTH))
        if picture is None:
            raise errors.NotFound("page", f"{number}")
        headers = {**_HEADERS, **_shown_headers(_SANDBOX + self._framing), "cache-control": "private, max-age=300"}
        return Response(picture, media_type="image/png", headers=headers)


def _drawing_unavailable(message: str, seconds: float) -> errors.Unavailable:
    return errors.Unavailable(message, "parsing", int(seconds * 1000))


def _is_signed(request: Request) -> bool:
    return SIGNATURE in request.query_params and "authorization" not in request.headers


async def _find_document(request: Request) -> tuple[UserAccess, models.Document]:
    """The access of the sender, and the requested document. Raises Unauthenticated or NotFound."""
    services: Services = request.state.services
    if _is_signed(request):
        caller = await services.authentication.authenticate_link(request.url.path, request.query_params)
    else:
        credential = request.headers.get("authorization")
        caller = require_caller(await services.authentication.authenticate(credential))
    access = services.as_user(caller.user)
    global_id = request.path_params["id"]
    row_id = global_ids.find("Document", global_id)
    [row] = await access.documents.by_ids([row_id]) if row_id else [None]
    if row is None:
        raise errors.NotFound("document", global_id)
    return access, row


def _has_tag(tags: str | None, etag: str) -> bool:
    """Whether `If-None-Match` lists this tag: the client has the current version of the document."""
    return tags is not None and (
        tags.strip() == "*" or etag in (tag.strip().removeprefix("W/") for tag in tags.split(","))
    )


def _whole_number(text: str) -> int:
    """The number, if it is a whole number of at least 1; 0 for anything else."""
    return int(text) if len(text) <= 6 and text.isascii() and text.isdigit() else 0


def _shown_headers(policy: str) -> dict[str, str]:
    """The headers of responses that browsers show. They ignore `X-Frame-Options` if a policy says who may frame one."""
    return {
        "content-security-policy": policy,
        "x-frame-options": "SAMEORIGIN",
        "cross-origin-resource-policy": "cross-origin",
    }


def _response_headers(row: models.Document, *, policy: str | None) -> tuple[str, dict[str, str]]:
    """The media type and headers of a response, with the `policy` of what is shown. The file name has no path."""
    name = (row.name or row.title).replace("\\", "/").rpartition("/")[2] or "document"
    headers = {**_HEADERS, "accept-ranges": "bytes", "etag": f'"{row.sha256}"'}
    if policy is not None:
        headers |= _shown_headers(policy)
    disposition = "attachment" if policy is None else "inline"
    headers["content-disposition"] = f"{disposition}; filename*=UTF-8''{quote(name, safe='')}"
    return "application/octet-stream" if policy is None else row.media_type, headers


class _Download(StreamingResponse):
    """Streams the pieces. If the document is deleted meanwhile, the response ends before its announced length."""

    def __init__(
        self,
        pieces: AsyncGenerator[bytes],
        status: HTTPStatus,
        media_type: str,
        headers: Mapping[str, str],
        release: Callable[[], None],
    ) -> None:
        super().__init__(pieces, status_code=status, media_type=media_type, headers=headers)
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
