"""A document's global id in; the bytes of its newest version, as they were given, out: for who may read it."""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from app import errors as app_errors
from app.database import models
from app.graphql import asking, ids
from app.graphql.options import Options
from app.graphql.refusals import refusal
from app.services import Services

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
        asker = await self._options.identify(services, asking.credential_in(request.headers))
        if asker is None:
            raise app_errors.Unauthenticated("Sign in first: this needs “Authorization: Bearer” with a token.")
        documents = services.allowed(asker.user).documents
        global_id = request.path_params["id"]
        [row] = await documents.by_ids([ids.read("Document", global_id)])
        if row is None:
            raise app_errors.NotFound("document", global_id)
        headers = {**_HEADERS, "content-disposition": f"attachment; filename*=UTF-8''{quote(_name(row), safe='')}"}
        return Response(await documents.original(row), media_type="application/octet-stream", headers=headers)


def _name(row: models.Document) -> str:
    """A name for the file, without the path that it may have come with."""
    return (row.name or row.title).replace("\\", "/").rpartition("/")[2] or "document"
