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
from app.chat.analytics.turns import query_submitted
from app.chat.branches import tree
from app.chat.branches.placement import AT_THE_END, Fork, Placement, find_fork
from app.chat.sessions import Sessions, check_documents
from app.database import models
from app.database.leases import Owner
from app.database.locks import Lock
from app.database.protocol import Database
from app.events.outbox import Outbox
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
class NewQuestion:
    """A question as a user sends it. `overrides` are its own options; `key` makes repeating it safe."""

    session_id: str
    user_id: str
    content: str
    key: str | None
    overrides: Mapping[str, Any]
    placement: Placement


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """A turn's rows, and the `options` to answer with; `options` is None if the answer already exists.

    `replaces`: once the answer is complete, it takes the place of the one that is current until then.
    """

    question: models.Message
    answer: models.Message
    options: PipelineOptions | None = None
    local_only: bool = False
    replaces: bool = False


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
    tree.SELECT_LAST_SHOWN.correlate(None).scalar_subquery(),
).where(_IS_RUNNING)
"""How many answers are running: in total, of a user, and in a session; and that session's last position and the id of
the last message that it shows."""


class TurnStore:
    """Stores turns. For a key that was used before, it returns the rows of that turn, without options."""

    def __init__(
        self, database: Database, sessions: Sessions, outbox: Outbox, owner: Owner, limits: RunningLimits
    ) -> None:
        self._database = database
        self._outbox = outbox
        self._sessions = sessions
        self._owner = owner
        self._limits = limits

    async def create_turn(self, asked: NewQuestion) -> StartedTurn:
        """Store a question with its PENDING answer, and show both. Raises NotFound, Invalid, Conflict, Unavailable."""
        check_question(asked.content)
        _check_key(asked.key)
        self._sessions.check_overrides(asked.overrides)

        def write(db: Session) -> StartedTurn:
            found = db.execute(_SESSION, {"session": asked.session_id}).one_or_none()
            if found is None:
                raise errors.NotFound("chat session", asked.session_id)
            session, project, creator = found
            fork = find_fork(db, session.id, asked.placement)
            if (earlier := _find_by_key(db, session.id, asked.key)) is not None:
                return _find_earlier_turn(db, earlier, asked, fork)
            position, previous_id = self._check_limits(db, session.id, asked.user_id)
            check_documents(db, session.project_id, asked.overrides.get("document_ids"))
            if fork is not None and fork.previous_id != previous_id:
                previous_id = fork.previous_id
                tree.make_room(db, session.id, fork.previous)
            question = _add_question(db, asked, session, position, previous_id)
            options = self._sessions.resolve_pipeline_options(session, project, creator, asked.overrides)
            # crash guard: turn.answer
            answer = self._add_answer(db, session, question, position + 1, model=options.model)
            return StartedTurn(question, answer, options, project.local_providers_only)  # kill point: turn.committing

        return await self._database.run_write(write, Lock.TURNS)

    async def create_regeneration(
        self, message_id: str, user_id: str, key: str | None, overrides: Mapping[str, Any]
    ) -> StartedTurn:
        """Store another PENDING answer to a question. Raises NotFound, Invalid, Conflict or Unavailable.

        It takes the place of a complete answer once it is complete itself, and of any other at once. `overrides` come
        before the question's own options.
        """
        _check_key(key)
        self._sessions.check_overrides(overrides)

        def write(db: Session) -> StartedTurn:
            question = _find_question(db, message_id)
            if (earlier := _find_by_key(db, question.session_id, key)) is not None:
                if (earlier.previous_id, earlier.overrides or {}) != (question.id, overrides):
                    raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
                return StartedTurn(question, earlier)
            position, _ = self._check_limits(db, question.session_id, user_id)
            check_documents(db, question.project_id, overrides.get("document_ids"))
            session, project, creator = db.execute(_SESSION, {"session": question.session_id}).one()
            replaces = _has_complete_answer(db, question)
            if replaces:
                tree.check_alternatives(db, session.id, question)
                tree.show_message(db, question)
            else:
                tree.make_room(db, session.id, question)
            combined = {**(question.overrides or {}), **overrides}
            options = self._sessions.resolve_pipeline_options(session, project, creator, combined)
            asked = {"asked_by": user_id, "idempotency_key": key, "overrides": dict(overrides) or None}
            shown = {"current": not replaces, "shown": not replaces}
            answer = self._add_answer(db, session, question, position, model=options.model, **asked, **shown)
            # kill point: again.committing
            return StartedTurn(question, answer, options, project.local_providers_only, replaces)

        return await self._database.run_write(write, Lock.TURNS)

    def _add_answer(
        self, db: Session, session: models.ChatSession, question: models.Message, position: int, **values: Any
    ) -> models.Message:
        """Add a pending answer with these further `values`, and tell of its question."""
        session.last_activity_at = session.updated_at = models.now()
        answer = models.Message(
            id=models.new_id(),
            project_id=session.project_id,
            session_id=session.id,
            position=position,
            role=MessageRole.ASSISTANT,
            status=MessageStatus.PENDING,
            previous_id=question.id,
            owner=self._owner.name,
            lease_until=self._owner.lease_end(),
            **{"asked_by": question.asked_by, "current": True, "shown": True, **values},
        )
        db.add(answer)
        db.flush()
        self._outbox.write_events(db, [query_submitted(question, answer)])
        return answer

    def _check_limits(self, db: Session, session_id: str, user_id: str) -> tuple[int, str | None]:
        """The next position, and the last message that is shown. Raises Conflict or Unavailable at too many answers.

        If two messages are inserted at one position, the unique index rejects the second.
        """
        values = {"session": session_id, "user": user_id}
        total, of_user, of_session, last, shown_id = db.execute(_RUNNING, values).one()
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
        return (last or 0) + 1, shown_id


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


def _add_question(
    db: Session, asked: NewQuestion, session: models.ChatSession, position: int, previous_id: str | None
) -> models.Message:
    question = models.Message(
        id=models.new_id(),
        project_id=session.project_id,
        session_id=session.id,
        position=position,
        previous_id=previous_id,
        asked_by=asked.user_id,
        role=MessageRole.USER,
        content=asked.content,
        status=MessageStatus.COMPLETED,
        idempotency_key=asked.key,  # crash guard: turn.key
        overrides=dict(asked.overrides) or None,
        placed=asked.placement != AT_THE_END,
        completed_at=models.now(),
    )
    db.add(question)
    db.flush()
    if session.title == "New chat":
        session.title = language.to_one_line(asked.content, _TITLE_LENGTH) or session.title
    return question


def _find_earlier_turn(db: Session, earlier: models.Message, asked: NewQuestion, fork: Fork | None) -> StartedTurn:
    """The turn of a question. Raises Conflict if the key was used for another question, place, or other options."""
    is_elsewhere = fork.previous_id != earlier.previous_id if fork is not None else earlier.placed
    same = (earlier.content, earlier.overrides or {}) == (asked.content, asked.overrides) and not is_elsewhere
    if earlier.role != MessageRole.USER or not same:
        raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
    first = db.scalars(_select_answers(earlier.id).order_by(models.Message.position).limit(1))
    return StartedTurn(earlier, first.one())


def _find_question(db: Session, answer_id: str) -> models.Message:
    """The question of an answer. Raises NotFound or Invalid."""
    answer = db.get(models.Message, answer_id)
    if answer is None:
        raise errors.NotFound("message", answer_id)
    if answer.role != MessageRole.ASSISTANT:
        raise errors.Invalid.at("messageId", "INVALID", "Only an answer can be regenerated; this is a question.")
    return db.get_one(models.Message, answer.previous_id)


def _has_complete_answer(db: Session, question: models.Message) -> bool:
    """Whether the current answer is complete. Raises Conflict while it is being generated."""
    current = db.scalars(_select_answers(question.id).where(models.Message.current)).one()
    if current.status in RUNNING:
        raise errors.Conflict("This answer is still being generated; wait for it to finish, or cancel it.", current)
    return current.status == MessageStatus.COMPLETED


def _select_answers(question_id: str) -> Select[models.Message]:
    return select(models.Message).where(
        models.Message.previous_id == question_id, models.Message.role == MessageRole.ASSISTANT
    )
