"""Errors as HTTP responses: status, headers, and the shape of the API that was called."""

import logging
import math
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import errors

log = logging.getLogger(__name__)

ErrorResponse = Callable[[Request, errors.FootnoteError], Response]
"""Makes the response to a request that fails, in the shape of one API."""

_STATUS: Mapping[type[errors.FootnoteError], int] = {
    errors.Invalid: 400,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.RateLimited: 429,
    errors.Unavailable: 503,
}


def error_status(error: errors.FootnoteError) -> int:
    """The status of an error; 500 if the request is not to blame."""
    return next((found for kind, found in _STATUS.items() if isinstance(error, kind)), 500)


def error_headers(error: errors.FootnoteError) -> dict[str, str]:
    """Headers that say how or when to try again."""
    match error:
        case errors.Unauthenticated():
            return {"www-authenticate": "Bearer"}
        case errors.RateLimited() | errors.Unavailable():
            return retry_after(error.retry_after_ms / 1000)
        case _:
            return {}


def retry_after(seconds: float) -> dict[str, str]:
    """The header that says when to try again, in whole seconds."""
    return {"retry-after": str(max(1, math.ceil(seconds)))}


def plain_response(_: Request, error: errors.FootnoteError) -> Response:
    """The error response of a path that belongs to no API."""
    return JSONResponse({"error": error.message}, error_status(error), error_headers(error))


class ErrorResponses:
    """Makes error responses in the shape of the API that the request's path belongs to."""

    def __init__(self, by_prefix: Mapping[str, ErrorResponse]) -> None:
        self._by_prefix = by_prefix

    def __call__(self, request: Request, error: errors.FootnoteError) -> Response:
        """The error response; a plain one if the path belongs to no API."""
        path = f"{request.scope['path']}/"
        shapes = (shape for prefix, shape in self._by_prefix.items() if path.startswith(f"{prefix}/"))
        return next(shapes, plain_response)(request, error)


def log_error(what: str, error: BaseException) -> str:
    """Log an internal error with its traceback, and return a reference for the client."""
    reference = errors.new_reference()
    log.error("%s reference=%s", what, reference, exc_info=error)
    return reference


def masked_message(reference: str) -> str:
    """The message for the client about an internal error."""
    return f"Something went wrong on our side. Reference in the log: {reference}"
