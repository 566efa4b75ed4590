"""Translate exceptions into members of result unions, or into top-level errors with a code.

Anything that is not one of our own errors is masked: the client gets a reference to the details in the log.
"""

import re
from collections.abc import Iterable
from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.exceptions import MissingQueryError, StrawberryInputCoercionError
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.utils.str_converters import to_camel_case

from app import errors
from app.graphql import ids
from app.graphql.types import nodes
from app.graphql.types.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    ValidationCode,
    ValidationError,
    ValidationIssue,
)
from app.http.error_responses import log_error, masked_message

_MAX_REQUEST_ERRORS = 10
_MAX_MESSAGE = 1000
_TOO_DEEP = "The operation is nested too deeply."
# What graphql-core adds when a name resembles another one.
_SUGGESTION = re.compile(r" Did you mean [^?]{0,1000}+\?")
# The parser's errors for a document that is too long or nested too deeply.
_TOO_LONG = re.compile(r"Syntax Error: (Document contains more than|.*nest)")
# What Strawberry raises for a malformed request.
_MALFORMED_REQUEST_ERRORS = (
    CannotGetOperationTypeError,
    InvalidOperationTypeError,
    MissingQueryError,
    StrawberryInputCoercionError,
)


class _NotFound(strawberry.ExceptionHandler[errors.NotFound, NotFoundError]):
    def handle(self, exception: errors.NotFound, *, field: Any, info: Any) -> NotFoundError:
        return NotFoundError(message=exception.message, id=ids.read_error_id(exception))


def validation_error(error: errors.Invalid) -> ValidationError:
    """The error as a member of a result union."""
    issues = [
        ValidationIssue(
            path=[to_camel_case(step) for step in issue.path],
            code=ValidationCode(issue.code),
            message=issue.message,
        )
        for issue in error.issues
    ]
    return ValidationError(message=error.message, issues=issues)


class _Invalid(strawberry.ExceptionHandler[errors.Invalid, ValidationError]):
    def handle(self, exception: errors.Invalid, *, field: Any, info: Any) -> ValidationError:
        return validation_error(exception)


class _Conflict(strawberry.ExceptionHandler[errors.Conflict, ConflictError]):
    def handle(self, exception: errors.Conflict, *, field: Any, info: Any) -> ConflictError:
        row = exception.conflicting
        return ConflictError(message=exception.message, conflicting=None if row is None else nodes.node_of_row(row))


class _Forbidden(strawberry.ExceptionHandler[errors.Forbidden, ForbiddenError]):
    def handle(self, exception: errors.Forbidden, *, field: Any, info: Any) -> ForbiddenError:
        return ForbiddenError(message=exception.message)


class _RateLimited(strawberry.ExceptionHandler[errors.RateLimited, RateLimitedError]):
    def handle(self, exception: errors.RateLimited, *, field: Any, info: Any) -> RateLimitedError:
        return RateLimitedError(message=exception.message, retry_after_ms=exception.retry_after_ms)


class _Unavailable(strawberry.ExceptionHandler[errors.Unavailable, UnavailableError]):
    def handle(self, exception: errors.Unavailable, *, field: Any, info: Any) -> UnavailableError:
        return UnavailableError(
            message=exception.message, service=exception.service, retry_after_ms=exception.retry_after_ms
        )


_HANDLERS: tuple[tuple[type[errors.FootnoteError], strawberry.ExceptionHandler[Any, Any]], ...] = (
    (errors.NotFound, _NotFound()),
    (errors.Invalid, _Invalid()),
    (errors.Conflict, _Conflict()),
    (errors.Forbidden, _Forbidden()),
    (errors.RateLimited, _RateLimited()),
    (errors.Unavailable, _Unavailable()),
)


def exception_handlers() -> list[strawberry.ExceptionHandler[Any, Any]]:
    """Turn errors into members of the result unions that have a member for them."""
    return [handler for _, handler in _HANDLERS]


def error_result(error: errors.FootnoteError) -> Any:
    """The error as a member of a result union, for one of several results. Raises it if no member fits."""
    nothing: Any = None  # our handlers use only the error
    for kind, handler in _HANDLERS:
        if isinstance(error, kind):
            return handler.handle(error, field=nothing, info=nothing)
    try:
        raise error
    finally:
        del error  # no cycle, see app/errors


def client_errors(found: Iterable[GraphQLError], *, suggestions: bool) -> list[GraphQLError]:
    """Top-level errors as clients may see them: each with `extensions.code`, and masked if it is not ours.

    Without `suggestions`, an error does not reveal names that resemble a wrong one.
    """
    all_errors = list(found)
    # A request can contain any number of mistakes, and each error repeats a part of the request.
    of_request = [error for error in all_errors if error.path is None][:_MAX_REQUEST_ERRORS]
    translated = [
        _translate_error(error) for error in (*of_request, *(error for error in all_errors if error.path is not None))
    ]
    for error in translated:
        if len(error.message) > _MAX_MESSAGE:
            error.message = f"{error.message[:_MAX_MESSAGE]} …"
        if not suggestions:
            error.message = _SUGGESTION.sub("", error.message)
    return translated


def _translate_error(error: GraphQLError) -> GraphQLError:
    cause: BaseException | None = error
    innermost = error
    while isinstance(cause, GraphQLError):
        innermost, cause = cause, cause.original_error
    if cause is None and error.path is not None and not innermost.nodes:
        cause = innermost  # a value of ours does not fit its type; errors about arguments have nodes
    if isinstance(cause, errors.FootnoteError):
        return _with_extensions(error, error.message, **error_extensions(cause))
    if isinstance(cause, RecursionError):
        return _with_extensions(error, _TOO_DEEP, code="QUERY_TOO_EXPENSIVE")
    if isinstance(cause, _MALFORMED_REQUEST_ERRORS):
        return _with_extensions(error, error.message, code="BAD_USER_INPUT")
    if cause is None:
        return _with_extensions(error, error.message, code=_graphql_error_code(error))
    reference = log_error(f"field failed, path={error.path}", cause)
    return _with_extensions(error, masked_message(reference), code="INTERNAL_SERVER_ERROR", id=reference)


def error_extensions(error: errors.FootnoteError) -> dict[str, str | int]:
    """What a top-level error tells programs: its code and, if it is known, when to try again."""
    match error:
        case errors.RateLimited() | errors.Unavailable():
            return {"code": error.code, "retryAfterMs": error.retry_after_ms}
        case errors.ModelUnavailable(retry_after=float() | int() as seconds):
            return {"code": errors.Unavailable.code, "retryAfterMs": round(seconds * 1000)}
        case errors.ContextTooLong():
            return {"code": errors.Invalid.code}
        case errors.AnswerError():
            return {"code": errors.Unavailable.code}
        case _:
            return {"code": error.code}


def _with_extensions(error: GraphQLError, message: str, **extensions: str | int) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )


def _graphql_error_code(error: GraphQLError) -> str:
    """The code of an error that graphql-core itself found."""
    code = (error.extensions or {}).get("code")
    if code is not None:
        return str(code)
    if _TOO_LONG.match(error.message):
        return "QUERY_TOO_EXPENSIVE"
    if error.message.startswith("Syntax Error"):
        return "GRAPHQL_PARSE_FAILED"
    of_variable = error.message.startswith("Variable ") and " has invalid value" in error.message
    return "BAD_USER_INPUT" if of_variable or error.path is not None else "GRAPHQL_VALIDATION_FAILED"
