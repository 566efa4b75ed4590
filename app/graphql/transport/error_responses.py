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
    """The response to a request that fails with one of our errors."""
    headers = error_responses.error_headers(error)
    return top_level_error(request, error_responses.error_status(error), error.message, error.code, headers)


def top_level_error(
    request: Request, status: int, message: str, code: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The response to a request that fails, with a top-level GraphQL error."""
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
    """Whether the client accepts GraphQL's own media type."""
    return content_negotiation.choose_media_type(request.headers.get("accept", "")) == GRAPHQL_RESPONSE


def is_request_error(result: ExecutionResult) -> bool:
    """Whether nothing was executed. (Execution errors have a path.)"""
    if isinstance(result, PreExecutionError):
        return True
    return result.data is None and bool(result.errors) and all(error.path is None for error in result.errors or ())
