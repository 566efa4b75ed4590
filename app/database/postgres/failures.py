"""Tell temporary failures of the server or connection from errors in the statements sent to it."""

from collections.abc import Generator
from contextlib import contextmanager

import asyncpg
from asyncpg.exceptions import TargetServerAttributeNotMatched
from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm.exc import StaleDataError

from app import errors

CONNECTION_FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""The exceptions that the driver raises when a connection is lost or cannot be opened."""

RETRY_MS = 1000
# Temporary failures, by class and by code: https://www.postgresql.org/docs/current/errcodes-appendix.html.
_TEMPORARY_CLASSES = {
    "08": "the connection was lost",
    "53": "the server has no resources left",
    "57": "the server is stopping or starting, or has cancelled the statement",
    "58": "the server's operating system reported an error",
}
_READ_ONLY = "25006"
_NO_CONNECTION_LEFT = "53300"
# 23503 (foreign key): on a retry, our own checks report which row was deleted in between.
_CONFLICT_CODES = {"23503", "40001", "40P01"}
_TEMPORARY_CODES = {
    "53100": "the server's disk is full",
    "53200": "the server has no memory left",
    _NO_CONNECTION_LEFT: "the server has no connection left (see its max_connections, and the limit of the user)",
    "23503": "a row that this one refers to has just been deleted",
    "40001": "another transaction changed the same rows",
    "40P01": "another transaction held the same rows in another order",
    "55P03": "too many writers are waiting",
    "57014": "a statement took too long",
    _READ_ONLY: "the server is read-only",
    "25P03": "a transaction was idle for too long",
    "25P04": "a transaction took too long",
}
# A prepared statement already exists, or no longer does. Only a pooler causes this: the driver never reuses a name on a
# connection.
_POOLER_CODES = {"42P05", "26000"}
_TRANSACTION_POOLING = (
    "a pooler assigns its connections per transaction, but Footnote needs them per session (PgBouncer: pool_mode = "
    "session)"
)
_PROTOCOL_VIOLATION = "08P01"
_NOT_ALLOWED = "42501"
# The text contains U+0000, which SQLite can store.
_UNSTORABLE_TEXT = {"22021", "22P05"}
# Of the indexed texts, only a document's source can be that long.
_TOO_LONG_FOR_INDEX = "54000"
# SQLite stores longer texts and larger numbers than its columns declare.
_OUT_OF_BOUNDS = {
    "22000": "A value is outside the range that the database can store here.",  # raised by the driver before sending
    "22001": "A text is longer than the database can store here.",
    "22003": "A number is larger than the database can store here.",
    "22008": "A timestamp is outside the range that the database can store.",
}


class TransactionConflict(errors.Unavailable):
    """Another transaction has changed, deleted or locked the same rows first."""


class NoConnectionLeft(errors.Unavailable):
    """The server accepts no more connections, from this user or from anyone."""


def watch_statements(engine: Engine) -> None:
    """Make statements of `engine` raise Unavailable if they fail because of the server or the connection."""

    @event.listens_for(engine, "handle_error")
    def translate(context: ExceptionContext) -> BaseException | None:  # pyright: ignore[reportUnusedFunction]
        if context.is_pre_ping:
            # Whatever a ping raises, the pool should try another connection.
            context.is_disconnect = True
            return None
        # After a failover, the connection may still lead to the former primary.
        if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
            context.is_disconnect = True
        return _translate_error(context.original_exception)


@contextmanager
def translate_connection_errors(name: str) -> Generator[None]:
    """Translate failures to get a connection to the database `name` into Unavailable."""
    try:
        yield
    except PoolTimeoutError as error:
        raise unavailable("too many transactions are waiting for a connection") from error
    except (DBAPIError, *CONNECTION_FAILURES) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        reason = _find_reason(cause) or str(cause) or type(cause).__name__
        text = f"The database {name} does not accept connections: {reason}."
        raise _error_class(cause)(text, "database", RETRY_MS) from error


@contextmanager
def translate_stale_rows() -> Generator[None]:
    """Raise TransactionConflict if a row was deleted between reading and changing it."""
    try:
        yield
    except StaleDataError as error:
        raise unavailable("another transaction deleted the same rows", TransactionConflict) from error


def _translate_error(error: BaseException | None) -> errors.FootnoteError | None:
    """Unavailable if waiting may help, Invalid for values that cannot be stored; None for other errors."""
    code = getattr(error, "sqlstate", None)
    if code in _UNSTORABLE_TEXT:
        return errors.Invalid.at("text", "INVALID", "Text must not contain the character U+0000.")
    if code == _TOO_LONG_FOR_INDEX:
        return errors.Invalid.at("source", "TOO_LONG", "`source` must have at most about 2,600 bytes in UTF-8.")
    if code in _OUT_OF_BOUNDS:
        return errors.Invalid.at("value", "OUT_OF_RANGE", _OUT_OF_BOUNDS[code])
    reason = _find_reason(error)
    return unavailable(reason, _error_class(error)) if reason else None


def _error_class(error: BaseException | None) -> type[errors.Unavailable]:
    code = getattr(error, "sqlstate", None)
    if code in _CONFLICT_CODES:
        return TransactionConflict
    return NoConnectionLeft if code == _NO_CONNECTION_LEFT else errors.Unavailable


def unavailable(reason: str, kind: type[errors.Unavailable] = errors.Unavailable) -> errors.Unavailable:
    """An error that says why the database cannot be used at the moment."""
    return kind(f"The database cannot be used right now: {reason}.", "database", RETRY_MS)


def transaction_pooling_error() -> errors.Unavailable:
    """The error for a pooler that does not keep one connection per client."""
    return unavailable(_TRANSACTION_POOLING)


def _find_reason(error: BaseException | None) -> str | None:
    if isinstance(error, TimeoutError):
        return "the server does not respond"
    if isinstance(error, OSError):
        return f"the server cannot be reached ({error.strerror or error})"
    code = getattr(error, "sqlstate", None)
    if code in _POOLER_CODES:
        return _TRANSACTION_POOLING
    if code == _PROTOCOL_VIOLATION:  # for example a pooler that does not know a parameter
        return f"the server, or a pooler before it, refused: {error}"
    if code == _NOT_ALLOWED:
        return f"its user lacks a right ({error}), and should own the tables"
    if isinstance(code, str):
        return _TEMPORARY_CODES.get(code) or _TEMPORARY_CLASSES.get(code[:2])
    # The driver's own errors have no server code. SQLAlchemy wraps them in its own.
    cause = error.__cause__ if error is not None else None
    driver_error = cause if isinstance(cause, asyncpg.InternalClientError) else error
    if isinstance(driver_error, TargetServerAttributeNotMatched):
        return "no host in its URL is what target_session_attrs requires"
    # The driver raises InternalClientError while the server is closing the connection.
    is_closed = "connection is closed" in str(error) or isinstance(driver_error, asyncpg.InternalClientError)
    return "the connection was lost" if is_closed else None
