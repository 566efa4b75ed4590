"""The request that the current work belongs to: its id and its user. Tasks that a request starts belong to it."""

import re
import uuid
from contextvars import ContextVar
from dataclasses import dataclass

_VALID_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}", re.ASCII)


@dataclass(slots=True)
class RequestContext:
    """A request, or a WebSocket with all its operations. `user_id` is None until the sender is known."""

    id: str
    user_id: str | None = None


_current: ContextVar[RequestContext | None] = ContextVar("request", default=None)


def begin_request(proposed_id: str | None) -> RequestContext:
    """Make a new request the current one. Its id is the proposed one, if that is safe to log, or else a new one."""
    valid = proposed_id is not None and _VALID_ID.fullmatch(proposed_id)
    context = RequestContext(proposed_id if proposed_id and valid else uuid.uuid4().hex)
    _current.set(context)
    return context


def current_id() -> str | None:
    """The id of the current request; None in background work."""
    context = _current.get()
    return context.id if context else None


def record_user(user_id: str) -> None:
    """Record who sends the current request."""
    if context := _current.get():
        context.user_id = user_id
