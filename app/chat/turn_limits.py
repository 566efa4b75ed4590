"""Limits of a new turn: the lengths of its texts, and how many answers are generated at once."""

from dataclasses import dataclass

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from app import errors
from app.chat.branches import tree
from app.database import models
from app.statuses import RUNNING

MAX_QUESTION = 100_000
MAX_KEY = 200
ALREADY_ANSWERING = "An answer is already being generated in this session; wait for it to finish, or cancel it."
# When to try again if too many answers are running; most take a few seconds.
_RETRY_MS = 2_000

_IS_RUNNING = models.Message.status.in_(RUNNING)
_IN_SESSION = models.Message.session_id == bindparam("session")
_RUNNING_IN_SESSION = select(models.Message).where(_IS_RUNNING, _IN_SESSION).limit(1)
_RUNNING = select(
    func.count(),
    func.count().filter(models.Message.asked_by == bindparam("user")),
    func.count().filter(_IN_SESSION),
    select(func.max(models.Message.position)).where(_IN_SESSION).correlate(None).scalar_subquery(),
    tree.SELECT_LAST_SHOWN.correlate(None).scalar_subquery(),
).where(_IS_RUNNING)
"""How many answers are running: in total, of a user, and in a session; and that session's last position and the id of
the last message that it shows."""


@dataclass(frozen=True, slots=True)
class RunningLimits:
    """Maximum numbers of answers running at once: in a session, for one user, and in total."""

    per_session: int
    per_user: int
    total: int


def find_allowed_position(db: Session, limits: RunningLimits, session_id: str, user_id: str) -> tuple[int, str | None]:
    """The next position, and the last message that is shown. Raises Conflict or Unavailable if too many run.

    If two messages are inserted at one position, the unique index rejects the second.
    """
    values = {"session": session_id, "user": user_id}
    total, of_user, of_session, last, shown_id = db.execute(_RUNNING, values).one()
    if of_session >= limits.per_session:
        other = db.scalars(_RUNNING_IN_SESSION, {"session": session_id}).first()
        raise errors.Conflict(ALREADY_ANSWERING, other)
    if of_user >= limits.per_user:
        message = f"At most {limits.per_user} of your answers may be generated at once; wait for one to finish."
        raise errors.Unavailable(message, "answers", _RETRY_MS)
    if total >= limits.total:
        message = f"At most {limits.total} answers may be generated at once; try again in a moment."
        raise errors.Unavailable(message, "answers", _RETRY_MS)
    return (last or 0) + 1, shown_id


def check_question(content: str) -> None:
    """Raises Invalid for a question that is empty or too long."""
    if not content.strip():
        raise errors.Invalid.at("content", "REQUIRED", "The question must not be empty.")
    if len(content) > MAX_QUESTION:
        raise errors.Invalid.at("content", "TOO_LONG", f"The question must have at most {MAX_QUESTION:,} characters.")


def check_key(key: str | None) -> None:
    """Raises Invalid for an idempotency key that is empty or too long."""
    if key is not None and not 1 <= len(key) <= MAX_KEY:
        message = f"The idempotency key must have between 1 and {MAX_KEY} characters."
        raise errors.Invalid.at("idempotencyKey", "TOO_LONG" if key else "REQUIRED", message)
