"""Create the rows of a turn, for a new question or a regenerated answer, in one transaction.

Every rule that can refuse a turn is checked in that transaction, so that it also holds for concurrent requests and
several processes: a key creates one turn, and no more answers run at once than the limits allow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from app import errors, language
from app.chat.sessions import Sessions, check_documents
from app.database import models
from app.database.leases import Owner
from app.database.locks import Lock
from app.database.protocol import Database
from app.rag.request import PipelineOptions
from app.statuses import RUNNING, MessageRole, MessageStatus

MAX_QUESTION = 100_000
MAX_KEY = 200
_TITLE_LENGTH = 80
# When to try again if too many answers are running; most take a few seconds.
_RETRY_MS = 2_000


@dataclass(frozen=True, slots=True)
class RunningLimits:
    """Maximum numbers of answers running at once: in a session, for one user, and in total."""

    per_session: int
    per_user: int
    total: int


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """A turn's rows, and the `options` to answer with; `options` is None if the answer already exists.

    `replaces` are the ids of earlier answers, which the new one replaces once it is complete.
    """

    question: models.Message
    answer: models.Message
    options: PipelineOptions | None = None
    local_only: bool = False
    replaces: tuple[str, ...] = ()


_SESSION = (
    select(models.ChatSession, models.Project, models.User)
    .join(models.Project, models.Project.id == models.ChatSession.project_id)
    .outerjoin(models.User, models.User.id == models.ChatSession.created_by)
    .where(models.ChatSession.id == bindparam("session"))
)
"""A session with its project and its creator."""
_IS_RUNNING = models.Message.status.in_(RUNNING)
_IN_SESSION = models.Message.session_id == bindparam("session")
_RUNNING_IN_SESSION = select(models.Message).where(_IS_RUNNING, _IN_SESSION).limit(1)
_RUNNING = select(
    func.count(),
    func.count().filter(models.Message.asked_by == bindparam("user")),
    func.count().filter(_IN_SESSION),
    select(func.max(models.Message.position)).where(_IN_SESSION).correlate(None).scalar_subquery(),
).where(_IS_RUNNING)
"""How many answers are running: in total, of a user, and in a session; and the last position in that session."""


class TurnStore:
    """Stores turns. For a key that was used before, it returns the rows of that turn, without options."""

    def __init__(self, database: Database, sessions: Sessions, owner: Owner, limits: RunningLimits) -> None:
        self._database = database
        self._sessions = sessions
        self._owner = owner
        self._limits = limits

    async def create_turn(
        self, session_id: str, user_id: str, content: str, key: str | None, overrides: Mapping[str, Any]
    ) -> StartedTurn:
        """Store a question with its PENDING answer. Raises NotFound, Invalid, Conflict or Unavailable."""
        check_question(content)
        _check_key(key)
        self._sessions.check_overrides(overrides)

        def write(db: Session) -> StartedTurn:
            found = db.execute(_SESSION, {"session": session_id}).one_or_none()
            if found is None:
                raise errors.NotFound("chat session", session_id)
            session, project, creator = found
            if (earlier := _find_by_key(db, session_id, key)) is not None:
                return _find_earlier_turn(db, earlier, content, overrides)
            position = self._check_limits(db, session_id, user_id)
            check_documents(db, session.project_id, overrides.get("document_ids"))
            question = models.Message(
                id=models.new_id(),
                project_id=session.project_id,
                session_id=session_id,
                position=position,
                asked_by=user_id,
                role=MessageRole.USER,
                content=content,
                status=MessageStatus.COMPLETED,
                idempotency_key=key,  # crash guard: turn.key
                overrides=dict(overrides) or None,
                completed_at=models.now(),
            )
            db.add(question)
            db.flush()
            if session.title == "New chat":
                session.title = language.to_one_line(content, _TITLE_LENGTH) or session.title
            answer = self._add_answer(db, session, question, position + 1)  # crash guard: turn.answer
            options = self._sessions.resolve_pipeline_options(session, project, creator, overrides)
            return StartedTurn(question, answer, options, project.local_providers_only)  # kill point: turn.committing

        return await self._database.run_write(write, Lock.TURNS)

    async def create_regeneration(self, message_id: str, user_id: str, key: str | None) -> StartedTurn:
        """Store another PENDING answer to a question. Raises NotFound, Invalid, Conflict or Unavailable.

        Only for the last question of a session, because later turns build on the answers before them.
        """
        _check_key(key)

        def write(db: Session) -> StartedTurn:
            before = db.get(models.Message, message_id)
            if before is None:
                raise errors.NotFound("message", message_id)
            if before.role != MessageRole.ASSISTANT:
                raise errors.Invalid.at(
                    "messageId", "INVALID", "Only an answer can be regenerated; this is a question."
                )
            question = db.get_one(models.Message, before.reply_to)
            if (earlier := _find_by_key(db, before.session_id, key)) is not None:
                if earlier.reply_to != question.id:
                    raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
                return StartedTurn(question, earlier)
            position = self._check_limits(db, before.session_id, user_id)
            _check_last(db, question)
            session, project, creator = db.execute(_SESSION, {"session": before.session_id}).one()
            shown = _select_answers(question.id).where(models.Message.replaced_by.is_(None))
            replaces = tuple(row.id for row in db.scalars(shown))
            answer = self._add_answer(db, session, question, position, asked_by=user_id, key=key)
            options = self._sessions.resolve_pipeline_options(session, project, creator, question.overrides or {})
            # kill point: again.committing
            return StartedTurn(question, answer, options, project.local_providers_only, replaces)

        return await self._database.run_write(write, Lock.TURNS)

    def _add_answer(
        self,
        db: Session,
        session: models.ChatSession,
        question: models.Message,
        position: int,
        *,
        asked_by: str | None = None,
        key: str | None = None,
    ) -> models.Message:
        session.updated_at = models.now()
        answer = models.Message(
            id=models.new_id(),
            project_id=session.project_id,
            session_id=session.id,
            position=position,
            asked_by=asked_by or question.asked_by,
            role=MessageRole.ASSISTANT,
            status=MessageStatus.PENDING,
            reply_to=question.id,
            idempotency_key=key,
            owner=self._owner.name,
            lease_until=self._owner.lease_end(),
        )
        db.add(answer)
        db.flush()
        return answer

    def _check_limits(self, db: Session, session_id: str, user_id: str) -> int:
        """The position of the next message. Raises Conflict or Unavailable if too many answers are running.

        If two messages are inserted at one position, the unique index rejects the second.
        """
        total, of_user, of_session, last = db.execute(_RUNNING, {"session": session_id, "user": user_id}).one()
        if of_session >= self._limits.per_session:
            other = db.scalars(_RUNNING_IN_SESSION, {"session": session_id}).first()
            raise errors.Conflict(
                "An answer is already being generated in this session; wait for it to finish, or cancel it.", other
            )
        if of_user >= self._limits.per_user:
            message = (
                f"{of_user} answers are being generated for you, the most allowed at once; wait for one to finish."
            )
            raise errors.Unavailable(message, "answers", _RETRY_MS)
        if total >= self._limits.total:
            message = f"{total} answers are being generated, the most allowed at once; try again in a moment."
            raise errors.Unavailable(message, "answers", _RETRY_MS)
        return (last or 0) + 1


def check_question(content: str) -> None:
    """Raises Invalid for a question that is empty or too long."""
    if not content.strip():
        raise errors.Invalid.at("content", "REQUIRED", "The message must not be empty.")
    if len(content) > MAX_QUESTION:
        raise errors.Invalid.at("content", "TOO_LONG", f"The message must have at most {MAX_QUESTION:,} characters.")


def _check_key(key: str | None) -> None:
    if key is not None and not 1 <= len(key) <= MAX_KEY:
        message = f"The idempotency key must have between 1 and {MAX_KEY} characters."
        raise errors.Invalid.at("idempotencyKey", "TOO_LONG", message)


def _find_by_key(db: Session, session_id: str, key: str | None) -> models.Message | None:
    """The message that was stored with a key: a question, or a regenerated answer."""
    if key is None:
        return None
    of_session = select(models.Message).where(models.Message.session_id == session_id)
    return db.scalar(of_session.where(models.Message.idempotency_key == key))


def _find_earlier_turn(db: Session, earlier: models.Message, content: str, overrides: Mapping[str, Any]) -> StartedTurn:
    """The turn of a question. Raises Conflict if the key was used for another question, or with other options."""
    if earlier.role != MessageRole.USER or (earlier.content, earlier.overrides or {}) != (content, overrides):
        raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
    first = db.scalars(_select_answers(earlier.id).order_by(models.Message.position).limit(1))
    return StartedTurn(earlier, first.one())


def _check_last(db: Session, question: models.Message) -> None:
    later = select(models.Message).where(
        models.Message.session_id == question.session_id,
        models.Message.role == MessageRole.USER,
        models.Message.position > question.position,
    )
    newer = db.scalar(later.order_by(models.Message.position.desc()).limit(1))
    if newer is not None:
        raise errors.Conflict(
            "Only the last answer of a session can be regenerated; later messages build on this one.", newer
        )


def _select_answers(question_id: str) -> Select[models.Message]:
    return select(models.Message).where(
        models.Message.reply_to == question_id, models.Message.role == MessageRole.ASSISTANT
    )
