"""The tree of a session's messages: which alternatives are current, and which messages are shown.

Messages that follow the same one are alternatives, and one of them is current. A message is on the path that the
session shows, from a first question to an answer that nothing follows, if it and all messages before it are current.
`shown` marks these, so that no page of a session walks the tree. A message's position is higher than that of the one
before it, so the messages shown after it are those shown at higher positions.

All functions run in the caller's transaction.
"""

from typing import Any

from sqlalchemy import CTE, Select, Update, bindparam, func, select, update
from sqlalchemy.orm import Session, aliased

from app import errors
from app.database import models

MAX_ALTERNATIVES = 50

_Message = models.Message
_IN_SESSION = _Message.session_id == bindparam("session")
_FOLLOWS = (_IN_SESSION, _Message.previous_id.is_not_distinct_from(bindparam("previous")))

SELECT_LAST_SHOWN: Select[str] = (
    select(_Message.id).where(_IN_SESSION, _Message.shown).order_by(_Message.position.desc()).limit(1)
)
"""The id of the last message that a `session` shows."""


def open_branch(db: Session, session_id: str, previous: models.Message | None) -> None:
    """Show a message, and nothing after it, so that the caller can add one that is current and shown.

    `previous` is None for another first question. Raises Conflict if there are too many alternatives.
    """
    check_alternatives(db, session_id, previous)
    if previous is not None:
        show_message(db, previous)
    _clear_current(db, session_id, previous.id if previous else None)
    _hide_after(db, session_id, previous.position if previous else 0)  # kill point: branch.room


def check_alternatives(db: Session, session_id: str, previous: models.Message | None) -> None:
    """Raises Conflict if no more messages may follow this one."""
    values = {"session": session_id, "previous": previous.id if previous else None}
    if db.execute(_COUNT_ALTERNATIVES, values).scalar_one() >= MAX_ALTERNATIVES:
        raise errors.Conflict(f"There are {MAX_ALTERNATIVES} alternatives already, the most allowed.", previous)


def make_current(db: Session, message_id: str) -> None:
    """Make a message the current one of its alternatives. It is shown if the message before it is."""
    session_id, previous_id, position, shown = db.execute(_SELECT_PLACE, {"message": message_id}).one()
    _clear_current(db, session_id, previous_id)
    db.execute(_SET_CURRENT, {"message": message_id})  # kill point: branch.left
    if shown or previous_id is None:
        _hide_after(db, session_id, position or 0)
        _show_after(db, session_id, previous_id)


def show_message(db: Session, message: models.Message) -> None:
    """Show a message, what is before it, and what is current after it."""
    values = {"message": message.id, "session": message.session_id}
    fork = db.execute(_FORK, values).one_or_none()
    if fork is not None and fork.id == message.id:
        return
    if fork is None:
        _clear_current(db, message.session_id, None)
    db.execute(_CLEAR_CURRENT_ON_BRANCH, values)
    db.execute(_SET_CURRENT_ON_BRANCH, values)
    _hide_after(db, message.session_id, fork.position if fork else 0)
    _show_after(db, message.session_id, fork.id if fork else None)  # kill point: branch.hidden


def show_current(db: Session, session_id: str) -> None:
    """Show what is current in a session, whatever was shown before."""
    _hide_after(db, session_id, 0)
    _show_after(db, session_id, None)


def _clear_current(db: Session, session_id: str, previous_id: str | None) -> None:
    """Leave none of the messages after this one current."""
    db.execute(_CLEAR_CURRENT, {"session": session_id, "previous": previous_id})


def _hide_after(db: Session, session_id: str, position: int) -> None:
    db.execute(_HIDE, {"session": session_id, "after": position})


def _show_after(db: Session, session_id: str, previous_id: str | None) -> None:
    """Show what is current after a message that is shown; None for the first question."""
    db.execute(_SHOW, {"session": session_id, "previous": previous_id})


def _mark(**values: Any) -> Update:
    return update(_Message).values(**values).execution_options(synchronize_session=False)


def _select_place() -> Select[str, str | None, int, bool]:
    """The session of a `message`, and the message before it: its id, its position, and whether it is shown.

    The last two are null for a first question.
    """
    previous = aliased(_Message)
    place = select(_Message.session_id, _Message.previous_id, previous.position, previous.shown)
    return place.outerjoin(previous, previous.id == _Message.previous_id).where(_Message.id == bindparam("message"))


def _walk_back() -> CTE:
    """A `message` and those before it, up to the first that is shown."""
    columns = (_Message.id, _Message.previous_id, _Message.position, _Message.shown)
    branch = select(*columns).where(_Message.id == bindparam("message")).cte("branch", recursive=True)
    before = select(*columns).join(branch, branch.c.previous_id == _Message.id).where(~branch.c.shown)
    return branch.union_all(before)


def _walk_on() -> CTE:
    """The current messages after the `previous` one."""
    first = select(_Message.id).where(*_FOLLOWS, _Message.current).cte("path", recursive=True)
    return first.union_all(select(_Message.id).join(first, first.c.id == _Message.previous_id).where(_Message.current))


_branch, _path = _walk_back(), _walk_on()
_is_hidden = ~_branch.c.shown
_COUNT_ALTERNATIVES = select(func.count()).select_from(_Message).where(*_FOLLOWS)
_SELECT_PLACE = _select_place()
_FORK = select(_branch.c.id, _branch.c.position).where(_branch.c.shown)
_CLEAR_CURRENT = _mark(current=False).where(*_FOLLOWS, _Message.current)
_SET_CURRENT = _mark(current=True).where(_Message.id == bindparam("message"))
_CLEAR_CURRENT_ON_BRANCH = _mark(current=False).where(
    _Message.previous_id.in_(select(_branch.c.previous_id).where(_is_hidden)), _Message.current
)
_SET_CURRENT_ON_BRANCH = _mark(current=True).where(_Message.id.in_(select(_branch.c.id).where(_is_hidden)))
_HIDE = _mark(shown=False).where(_IN_SESSION, _Message.shown, _Message.position > bindparam("after"))
_SHOW = _mark(shown=True).where(_Message.id.in_(select(_path.c.id)))
