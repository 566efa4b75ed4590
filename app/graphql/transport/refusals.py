"""Why a request is not served in; the response that says so out."""

import math

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app.graphql.transport import content_negotiation
from app.graphql.transport.content_negotiation import GRAPHQL_RESPONSE


def refusal(request: Request, status: int, reason: str, code: str, *, retry_after_ms: int | None = None) -> Response:
    """A request that is not served, in the shape of GraphQL's errors."""
    headers = {"vary": "Accept", "cache-control": "no-store"}
    if status == 405:
        headers["allow"] = "GET, POST"
    if status == 401:
        headers["www-authenticate"] = "Bearer"
    if status == 408:
        headers["connection"] = "close"
    if retry_after_ms is not None:
        headers["retry-after"] = str(max(1, math.ceil(retry_after_ms / 1000)))
    return JSONResponse(
        {"errors": [{"message": reason, "extensions": {"code": code}}]},
        status,
        headers=headers,
        media_type=GRAPHQL_RESPONSE if knows_media_type(request) else None,
    )


def knows_media_type(request: Request) -> bool:
    """Whether the client knows GraphQL's own media type."""
    return content_negotiation.chosen(request.headers.get("accept", "")) == GRAPHQL_RESPONSE
