"""Errors in the shape of the OpenAI API, with their statuses.

| what                                                   | status | code                       |
|---|---|---|
| a shape, a ratio, no user prompt                       | 400    | as the refusal says        |
| longer than the model's window                         | 400    | context_length_exceeded    |
| the provider refuses, or cannot do it                  | 400    | model_refused              |
| no credential where one is needed, or a wrong one      | 401    | invalid_api_key            |
| no such project, no such model                         | 404    | index_not_found, model_not_found |
| too many requests                                      | 429    | rate_limit_exceeded        |
| the provider has had enough                            | 429    | rate_limit_exceeded, insufficient_quota |
| the provider does not take our key; its answer breaks off | 502 | model_unauthorized, model_incomplete |
| the provider or the search is not there                | 503    | model_unavailable, unavailable |
| no answer within the time limits                       | 504    | model_timeout              |
| anything else                                          | 500    | internal_error, with the id of the log's entry |

A key of ours that a provider does not take is no 401: the client's credential is not what is wrong.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from app import errors
from app.http import error_responses
from app.http.request_body import BodyError, BodyTooSlow
from app.providers.base import JsonObject

INVALID = "invalid_request_error"
_SERVER = "server_error"
_INDEX = "index_name"


class Refused(Exception):
    """The request itself is at fault: `status` says how, `parameter` where, the message what is allowed."""

    def __init__(self, message: str, *, parameter: str | None = None, code: str = "invalid_value", status: int = 400):
        super().__init__(message)
        self.refusal = Refusal(status, message, INVALID, code, parameter)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One error as a client sees it."""

    status: int
    message: str
    type: str
    code: str
    parameter: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def body(self) -> JsonObject:
        """What clients of the API look for: at `error`, in a response or in an event of a stream."""
        return {
            "error": {"message": self.message, "type": self.type, "param": self.parameter, "code": self.code},
        }

    def response(self) -> Response:
        """The whole response."""
        return JSONResponse(self.body, self.status, dict(self.headers))


def error_response(_: Request, error: errors.FootnoteError) -> Response:
    """A request that is not served, because of one of our errors."""
    return refusal(error).response()


def refusal(error: Exception) -> Refusal:
    """What a client is told of `error`. What is unknown is masked, and logged under the id that is told."""
    match error:
        case Refused():
            return error.refusal
        case BodyError():
            code = "request_timeout" if isinstance(error, BodyTooSlow) else "request_too_large"
            return Refusal(error.status, error.message, INVALID, code)
        case errors.Invalid():
            path = ".".join(error.issues[0].path)
            return Refusal(400, error.message, INVALID, "invalid_value", path)
        case errors.Unauthenticated():
            return Refusal(401, error.message, INVALID, "invalid_api_key", headers=error_responses.headers(error))
        case errors.Forbidden():
            return Refusal(403, error.message, INVALID, "forbidden")
        case errors.RateLimited():
            headers = error_responses.headers(error)
            return Refusal(429, error.message, "rate_limit_error", "rate_limit_exceeded", headers=headers)
        case errors.NotFound():
            return Refusal(404, error.message, INVALID, "not_found")
        case errors.Unavailable():
            headers = error_responses.headers(error)
            return Refusal(503, error.message, _SERVER, "unavailable", headers=headers)
        case errors.AnswerError() if not isinstance(error, errors.Internal):
            return _of_model(error)
        case _:
            return _masked(error)


def _of_model(error: errors.AnswerError) -> Refusal:
    message = error.message
    match error:
        case errors.ContextTooLong():
            return Refusal(400, message, INVALID, "context_length_exceeded", "messages")
        case errors.ModelRefused():
            return Refusal(400, message, INVALID, "model_refused")
        case errors.ModelNotFound():
            return Refusal(404, message, INVALID, "model_not_found", "model")
        case errors.ModelRateLimited() if not error.retryable:
            # Clients repeat a 429 by themselves, unless this header tells them not to.
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


def _masked(error: Exception) -> Refusal:
    message = error_responses.masked(error_responses.log_error("OpenAI API request failed,", error))
    return Refusal(500, message, _SERVER, "internal_error")


def _retry_after(seconds: float | None) -> Mapping[str, str]:
    return {} if seconds is None else error_responses.retry_after(seconds)
