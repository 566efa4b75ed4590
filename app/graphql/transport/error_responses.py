"""HTTP responses with top-level GraphQL errors."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from strawberry.types.execution import ExecutionResult, PreExecutionError

from app import errors
from app.graphql.transport import content_negotiation
from app.graphql.transport.content_negotiation import GRAPHQL_RESPONSE
from app.http import error_responses

_HEADERS_BY_STATUS: Mapping[int, Mapping[str, str]] = {405: {"allow": "GET, POST"}, 408: {"connection": "close"}}


def error_response(request: Request, error: errors.FootnoteError) -> Response:
    """A request that is not served, because of one of our errors."""
    headers = error_responses.headers(error)
    return response(request, error_responses.status(error), error.message, error.code, headers)


def response(
    request: Request, status: int, message: str, code: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A request that is not served, in the shape of GraphQL's errors."""
    return JSONResponse(
        {"errors": [{"message": message, "extensions": {"code": code}}]},
        status,
        headers={
            "vary": "Accept",
            "cache-control": "no-store",
            **_HEADERS_BY_STATUS.get(status, {}),
            **(headers or {}),
        },
        media_type=GRAPHQL_RESPONSE if knows_media_type(request) else None,
    )


def knows_media_type(request: Request) -> bool:
    """Whether the client knows GraphQL's own media type."""
    return content_negotiation.chosen(request.headers.get("accept", "")) == GRAPHQL_RESPONSE


def is_request_error(result: ExecutionResult) -> bool:
    """Whether nothing was executed. (Errors of execution have a path.)"""
    if isinstance(result, PreExecutionError):
        return True
    return result.data is None and bool(result.errors) and all(error.path is None for error in result.errors or ())
