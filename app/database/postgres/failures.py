"""Tell failures of the server and of the connection, which pass, from errors in what was asked of it."""

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
"""What a connection of the driver raises when it is lost or cannot be made."""

RETRY_MS = 1000
# https://www.postgresql.org/docs/current/errcodes-appendix.html: by class, and one by one.
_PASSING_CLASSES = {
    "08": "the connection was lost",
    "53": "the server has no resources left",
    "57": "the server stops, starts or cancelled the statement",
    "58": "the server's system failed",
}
_READ_ONLY = "25006"
_NO_CONNECTION_LEFT = "53300"
# Rules check what they refer to first: if it is tried again, they report what was deleted in between.
_OVERTAKEN = {"23503", "40001", "40P01"}
_PASSING_CODES = {
    "53100": "the server's disk is full",
    "53200": "the server has no memory left",
    _NO_CONNECTION_LEFT: "the server has no connection left (see its max_connections, and the limit of the user)",
    "23503": "what this belongs to was deleted in the meantime",
    "40001": "another transaction changed the same rows",
    "40P01": "another transaction held the same rows in another order",
    "55P03": "too many writers are waiting",
    "57014": "a statement took too long",
    _READ_ONLY: "the server is read-only",
    "25P03": "a transaction was idle for too long",
    "25P04": "a transaction took too long",
}
# A prepared statement is there already, or not any more: the driver never makes two of one name on one connection.
_OF_POOLERS = {"42P05", "26000"}
_BY_TRANSACTION = (
    "a pooler assigns its connections by transaction, but Footnote needs them by session (PgBouncer: pool_mode = "
    "session)"
)
_REFUSED = "08P01"
_NOT_ALLOWED = "42501"
# SQLite stores this character.
_UNSTORABLE_TEXT = {"22021", "22P05"}
# Of texts that others are found by, only the source of a document can be so long.
_TOO_LONG_FOR_INDEX = "54000"
# SQLite stores longer texts than its columns declare, and larger numbers.
_OUT_OF_BOUNDS = {
    "22000": "A value is outside of what the database can store here.",  # the driver's own: it was not even sent
    "22001": "A text is longer than the database can store here.",
    "22003": "A number is larger than the database can store here.",
    "22008": "A moment is outside of what the database can store.",
}


class Overtaken(errors.Unavailable):
    """Another transaction came first: it waits for the same rows, has changed them, or has deleted them."""


class NoConnectionLeft(errors.Unavailable):
    """The server gives no further connection: to this user, or to anybody."""


def watch_statements(engine: Engine) -> None:
    """Raise Unavailable for statements of `engine` that fail because of the server or the connection."""

    @event.listens_for(engine, "handle_error")
    def translate(context: ExceptionContext) -> BaseException | None:  # pyright: ignore[reportUnusedFunction]
        if context.is_pre_ping:
            # Whatever a ping raises, the pool is to try another connection.
            context.is_disconnect = True
            return None
        # After a failover, a connection may lead to the former writer, and would for as long as it is used.
        if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
            context.is_disconnect = True
        return _translate_error(context.original_exception)


@contextmanager
def connecting(name: str) -> Generator[None]:
    """Raises Unavailable for what goes wrong while a connection to the database `name` is taken from the pool."""
    try:
        yield
    except PoolTimeoutError as error:
        raise unavailable("too many transactions are waiting for a connection") from error
    except (DBAPIError, *CONNECTION_FAILURES) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        reason = _find_reason(cause) or str(cause) or type(cause).__name__
        text = f"The database {name} does not accept connections: {reason}."
        raise _kind_of(cause)(text, "database", RETRY_MS) from error


@contextmanager
def changing_rows() -> Generator[None]:
    """Raises Overtaken where a row that was read, and is to be changed, was deleted in between."""
    try:
        yield
    except StaleDataError as error:
        raise unavailable("another transaction deleted the same rows", Overtaken) from error


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
    return unavailable(reason, _kind_of(error)) if reason else None


def _kind_of(error: BaseException | None) -> type[errors.Unavailable]:
    code = getattr(error, "sqlstate", None)
    if code in _OVERTAKEN:
        return Overtaken
    return NoConnectionLeft if code == _NO_CONNECTION_LEFT else errors.Unavailable


def unavailable(reason: str, kind: type[errors.Unavailable] = errors.Unavailable) -> errors.Unavailable:
    """The error that tells why the database cannot be used now."""
    return kind(f"The database cannot be used right now: {reason}.", "database", RETRY_MS)


def hands_out_by_transaction() -> errors.Unavailable:
    """The error for a pooler that does not keep a connection for each of its clients."""
    return unavailable(_BY_TRANSACTION)


def _find_reason(error: BaseException | None) -> str | None:
    if isinstance(error, TimeoutError):
        return "the server does not answer"
    if isinstance(error, OSError):
        return f"the server cannot be reached ({error.strerror or error})"
    code = getattr(error, "sqlstate", None)
    if code in _OF_POOLERS:
        return _BY_TRANSACTION
    if code == _REFUSED:  # a pooler does not know a parameter, for example
        return f"the server, or a pooler before it, refused: {error}"
    if code == _NOT_ALLOWED:
        return f"its user lacks a right ({error}), and should own the tables"
    if isinstance(code, str):
        return _PASSING_CODES.get(code) or _PASSING_CLASSES.get(code[:2])
    # The driver's own have no code of the server. SQLAlchemy wraps them in errors of its own.
    own = error.__cause__ if error is not None and isinstance(error.__cause__, asyncpg.InternalClientError) else error
    if isinstance(own, TargetServerAttributeNotMatched):
        return "no host of its URL is what target_session_attrs demands"
    # The second is what a statement gets after the server has said that it closes the connection, and before that is
    # closed.
    is_closed = "connection is closed" in str(error) or isinstance(own, asyncpg.InternalClientError)
    return "the connection was lost" if is_closed else None
