"""HTTP responses with top-level GraphQL errors."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from strawberry.types.execution import ExecutionResult, PreExecutionError

from app import errors
from app.graphql.errors import error_extensions
from app.graphql.transport import content_negotiation
from app.graphql.transport.content_negotiation import GRAPHQL_RESPONSE
from app.http import error_responses

_HEADERS_BY_STATUS: Mapping[int, Mapping[str, str]] = {405: {"allow": "GET, POST"}, 408: {"connection": "close"}}


def error_response(request: Request, error: errors.FootnoteError) -> Response:
    """The response to a request that fails with one of our errors."""
    status, headers = error_responses.error_status(error), error_responses.error_headers(error)
    return _respond(request, status, error.message, error_extensions(error), headers)


def top_level_error(request: Request, status: int, message: str, code: str) -> Response:
    """The response to a request that fails, with a top-level GraphQL error."""
    return _respond(request, status, message, {"code": code}, {})


def execution_error(request: Request, message: str, code: str) -> Response:
    """The response to an operation that was executed, with an error in place of its result."""
    return _respond(request, 200, message, {"code": code}, {}, {"data": None})


def _respond(
    request: Request,
    status: int,
    message: str,
    extensions: Mapping[str, str | int],
    headers: Mapping[str, str],
    result: Mapping[str, None] = MappingProxyType({}),
) -> Response:
    return JSONResponse(
        {"errors": [{"message": message, "extensions": extensions}], **result},
        status,
        headers={
            "vary": "Accept",
            "cache-control": "no-store",
            **_HEADERS_BY_STATUS.get(status, {}),
            **headers,
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
