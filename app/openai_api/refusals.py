"""Errors in the shape of the OpenAI API, with their statuses.

| error                                                     | status | code                       |
|---|---|---|
| invalid shape or ratio, no user prompt                    | 400    | depends on the refusal     |
| several projects have this name                           | 400    | index_ambiguous            |
| longer than the model's window                            | 400    | context_length_exceeded    |
| refused or not supported by the provider                  | 400    | model_refused              |
| missing or invalid credential                             | 401    | invalid_api_key            |
| not allowed for the user                                  | 403    | forbidden                  |
| no such project, model or address                         | 404    | index_not_found, model_not_found, unknown_url |
| wrong method                                              | 405    | method_not_allowed         |
| the body arrives too slowly                               | 408    | request_timeout            |
| the body is too large                                     | 413    | request_too_large          |
| the body is not sent as JSON                              | 415    | invalid_content_type       |
| the body is compressed                                    | 415    | unsupported_content_encoding |
| too many requests                                         | 429    | rate_limit_exceeded        |
| the provider's rate limit or quota                        | 429    | rate_limit_exceeded, insufficient_quota |
| the provider rejects our key, or its answer breaks off    | 502    | model_unauthorized, model_incomplete |
| the provider or the search is unavailable                 | 503    | model_unavailable, unavailable |
| no answer within the time limits                          | 504    | model_timeout              |
| anything else                                             | 500    | internal_error, with a reference to the log |

If a provider rejects our key, the status is not 401: the client's credential is not the problem.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import errors
from app.http import error_responses
from app.http.request_body import BodyError
from app.providers.base import JsonObject

INVALID = "invalid_request_error"
_SERVER = "server_error"


class RequestRefused(Exception):
    """The request is invalid: `parameter` says where, and the message what is allowed."""

    def __init__(self, message: str, *, parameter: str | None = None, code: str = "invalid_value", status: int = 400):
        super().__init__(message)
        self.refusal = Refusal(status, message, INVALID, code, parameter)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as clients see it."""

    status: int
    message: str
    type: str
    code: str
    parameter: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def body(self) -> JsonObject:
        """The error object, for a response or an event of a stream."""
        return {
            "error": {"message": self.message, "type": self.type, "param": self.parameter, "code": self.code},
        }

    def to_response(self) -> Response:
        """The HTTP response."""
        return JSONResponse(self.body, self.status, dict(self.headers))


def error_response(_: Request, error: errors.FootnoteError) -> Response:
    """The response to a request that fails with one of our errors."""
    return to_refusal(error).to_response()


def to_refusal(error: Exception) -> Refusal:
    """The error as clients see it. Unknown errors are masked, and logged under the reference in the message."""
    match error:
        case RequestRefused():
            return error.refusal
        case BodyError():
            return Refusal(error.status, error.message, INVALID, error.code)
        case errors.Invalid():
            path = ".".join(error.issues[0].path) or None
            return Refusal(400, error.message, INVALID, "invalid_value", path)
        case errors.Unauthenticated():
            return Refusal(401, error.message, INVALID, "invalid_api_key", headers=error_responses.error_headers(error))
        case errors.Forbidden():
            return Refusal(403, error.message, INVALID, "forbidden")
        case errors.RateLimited():
            headers = error_responses.error_headers(error)
            return Refusal(429, error.message, "rate_limit_error", "rate_limit_exceeded", headers=headers)
        case errors.NotFound():
            return Refusal(404, error.message, INVALID, "not_found")
        case errors.Unavailable():
            headers = error_responses.error_headers(error)
            return Refusal(503, error.message, _SERVER, "unavailable", headers=headers)
        case errors.AnswerError() if not isinstance(error, errors.Internal):
            return _model_refusal(error)
        case _:
            return _internal_error(error)


def _model_refusal(error: errors.AnswerError) -> Refusal:
    message = error.message
    match error:
        case errors.ContextTooLong():
            return Refusal(400, message, INVALID, "context_length_exceeded", "messages")
        case errors.ModelRefused():
            return Refusal(400, message, INVALID, "model_refused", error.parameter)
        case errors.ModelNotFound():
            return Refusal(404, message, INVALID, "model_not_found", "model")
        case errors.ModelRateLimited() if not error.retryable:
            # OpenAI's clients retry a 429 on their own unless this header is set.
            return Refusal(
                429, message, "insufficient_quota", "insufficient_quota", headers={"x-should-retry": "false"}
            )
        case errors.ModelRateLimited():
            headers = _retry_after(error.retry_after)
            return Refusal(429, message, "rate_limit_error", "rate_limit_exceeded", headers=headers)
        case errors.ModelUnavailable():
            return Refusal(503, message, _SERVER, "model_unavailable", headers=_retry_after(error.retry_after))
        case errors.ModelTimeout():
            return Refusal(504, message, _SERVER, "model_timeout")
        case errors.ModelUnauthorized():
            return Refusal(502, message, _SERVER, "model_unauthorized", headers={"x-should-retry": "false"})
        case errors.ModelIncomplete():
            return Refusal(502, message, _SERVER, "model_incomplete")
        case _:
            return Refusal(503, message, _SERVER, "unavailable")


def _internal_error(error: Exception) -> Refusal:
    message = error_responses.masked_message(error_responses.log_error("OpenAI API request failed,", error))
    return Refusal(500, message, _SERVER, "internal_error")


def _retry_after(seconds: float | None) -> Mapping[str, str]:
    return {} if seconds is None else error_responses.retry_after(seconds)
