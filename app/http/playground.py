"""A browser that looks at the GraphQL address in; the playground's page out."""

from pathlib import Path

from starlette.responses import FileResponse, Response

_PAGE = Path(__file__).parent.parent / "static" / "playground" / "index.html"
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


def page() -> Response:
    """The page; all that it loads comes from this server."""
    return FileResponse(_PAGE, media_type="text/html", headers=_HEADERS)
