"""Serve the playground: its page and the files it loads."""

from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

_PLAYGROUND = Path(__file__).parent.parent / "static" / "playground"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cache-control": "no-cache",
    "vary": "Accept",
    "x-content-type-options": "nosniff",
}


def playground_page() -> Response:
    """The playground's page. It loads everything from this server."""
    return FileResponse(_PLAYGROUND / "index.html", media_type="text/html", headers=_HEADERS)


def playground_files() -> StaticFiles:
    """The files of the playground."""
    return _HashedFiles(directory=_PLAYGROUND)


class _HashedFiles(StaticFiles):
    """Files whose names contain a hash of their content, so that browsers may cache them forever."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # pyright: ignore[reportArgumentType]
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
