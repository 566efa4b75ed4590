"""Serve the page and the playground: their HTML and the files it loads."""

import gzip
import mimetypes
from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.http.quality_values import read_qualities

PAGE_PATHS: Sequence[str] = ("/", "/p/{path:path}", "/c/{path:path}", "/account", "/status")
"""The addresses of the page's views, which the page itself distinguishes."""

_STATIC = Path(__file__).parents[2] / "static"
_COMMON_POLICY = (
    "default-src 'none'; script-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
_PAGE_POLICY = f"{_COMMON_POLICY}; style-src 'self'"
# Monaco writes <style> elements.
_PLAYGROUND_POLICY = f"{_COMMON_POLICY}; style-src 'self' 'unsafe-inline'"
_HEADERS = {"cache-control": "no-cache", "x-content-type-options": "nosniff"}
# For workers: a script that is loaded as a worker has its own policy.
_WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
_COMPRESSED = {".css", ".js", ".mjs", ".svg", ".wasm"}


async def page(_: Request) -> Response:
    """The page, at all PAGE_PATHS. It loads everything from this server."""
    headers = {**_HEADERS, "content-security-policy": _PAGE_POLICY}
    return FileResponse(_STATIC / "page" / "index.html", media_type="text/html", headers=headers)


def playground_page() -> Response:
    """The playground's page. It loads everything from this server."""
    headers = {**_HEADERS, "content-security-policy": _PLAYGROUND_POLICY, "vary": "Accept"}
    return FileResponse(_STATIC / "playground" / "index.html", media_type="text/html", headers=headers)


def page_files() -> StaticFiles:
    """The files of the page."""
    return _HashedFiles(_STATIC / "page")


def playground_files() -> StaticFiles:
    """The files of the playground."""
    return _HashedFiles(_STATIC / "playground")


class _HashedFiles(StaticFiles):
    """Files. The names of assets contain a hash of their content, so browsers may cache them forever.

    Each is compressed once, when it is first asked for, and kept: the folder's files are few and never change.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)
        self._compressed: dict[str, bytes] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, compressed if it is text and the client accepts that."""
        response = await super().get_response(path, scope)
        if not isinstance(response, FileResponse):
            return response
        response.headers["content-security-policy"] = _WORKER_POLICY
        if Path(response.path).parent.name != "assets":
            return response
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        if Path(response.path).suffix not in _COMPRESSED:
            return response
        response.headers["vary"] = "Accept-Encoding"
        qualities = read_qualities(Headers(scope=scope).get("accept-encoding", ""))
        if scope["method"] == "GET" and qualities.get("gzip", 0.0) > 0:
            return await self._compress(Path(response.path), response)
        return response

    async def _compress(self, file: Path, response: FileResponse) -> Response:
        content = self._compressed.get(file.name)
        if content is None:
            content = self._compressed[file.name] = await anyio.to_thread.run_sync(_gzip, file)
        kept = ("cache-control", "content-security-policy", "vary", "last-modified")
        headers = {name: response.headers[name] for name in kept} | {"content-encoding": "gzip"}
        return Response(content, media_type=mimetypes.guess_type(file.name)[0], headers=headers)


def _gzip(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), compresslevel=9, mtime=0)
