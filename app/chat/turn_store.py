"""Create the rows of a turn, for a new question or a regenerated answer, in one transaction.

Every rule that can refuse a turn is checked in that transaction, so that it also holds for concurrent requests and
several processes: a key creates one turn, and no more answers run at once than the limits allow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from app import errors
from app.chat.analytics.turns import query_submitted
from app.chat.branches import tree
from app.chat.branches.placement import AT_THE_END, Fork, Placement, find_fork
from app.chat.memories import Memories
from app.chat.messages import read_conversation_and_refused
from app.chat.sessions import NEW_TITLE, Sessions, check_documents, title_of_question
from app.chat.turn_limits import RunningLimits, check_key, check_question, find_allowed_position
from app.database import models
from app.database.base import is_same_json
from app.database.leases import LeaseOwner
from app.database.locks import Lock
from app.database.protocol import Database
from app.events.outbox import Outbox
from app.rag.request import AnswerRequest, PipelineOptions
from app.statuses import RUNNING, MessageRole, MessageStatus


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
    """A turn's rows, and its request to the pipeline; `request` is None if the answer already exists.

    The request has no messages yet; see `complete_request`.
    `replaces`: once the answer is complete, it takes the place of the one that is current until then.
    """

    question: models.Message
    answer: models.Message
    request: AnswerRequest | None = None
    replaces: bool = False


_SESSION = (
    select(models.ChatSession, models.Project, models.User)
    .join(models.Project, models.Project.id == models.ChatSession.project_id)
    .outerjoin(models.User, models.User.id == models.ChatSession.created_by)
    .where(models.ChatSession.id == bindparam("session"))
)
"""A session with its project and its creator."""


class TurnStore:
    """Stores turns. For a key that was used before, it returns the rows of that turn, without a request."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        memories: Memories,
        outbox: Outbox,
        owner: LeaseOwner,
        limits: RunningLimits,
    ) -> None:
        self._database = database
        self._memories = memories
        self._outbox = outbox
        self._sessions = sessions
        self._owner = owner
        self._limits = limits

    async def create_turn(self, new: NewQuestion) -> StartedTurn:
        """Store a question with its PENDING answer, and show both. Raises NotFound, Invalid, Conflict, Unavailable."""
        check_question(new.content)
        check_key(new.key)
        self._sessions.check_values(new.overrides)

        def write(db: Session) -> StartedTurn:
            found = db.execute(_SESSION, {"session": new.session_id}).one_or_none()
            if found is None:
                raise errors.NotFound("chat session", new.session_id)
            session, project, creator = found
            fork = find_fork(db, session.id, new.placement)
            if (earlier := _find_by_key(db, session.id, new.key)) is not None:
                return _find_earlier_turn(db, earlier, new, fork)
            position, previous_id = find_allowed_position(db, self._limits, session.id, new.user_id)
            check_documents(db, session.project_id, new.overrides.get("document_ids"))
            if fork is not None and fork.previous_id != previous_id:
                previous_id = fork.previous_id
                tree.open_branch(db, session.id, fork.previous)
            question = _add_question(db, new, session, position, previous_id)
            options = self._sessions.resolve_pipeline_options(session, project, creator, new.overrides)
            # crash guard: turn.answer
            answer = self._add_answer(db, session, question, position + 1, model=options.model)
            request = _build_request(answer, options, project, new.user_id)
            return StartedTurn(question, answer, request)  # kill point: turn.committing

        return await self._database.run_write(write, Lock.TURNS, brief=True)

    async def create_regeneration(
        self, message_id: str, user_id: str, key: str | None, overrides: Mapping[str, Any]
    ) -> StartedTurn:
        """Store another PENDING answer to a question. Raises NotFound, Invalid, Conflict or Unavailable.

        It takes the place of a complete answer once it is complete itself, and of any other at once. `overrides` come
        before the question's own options.
        """
        check_key(key)
        self._sessions.check_values(overrides)

        def write(db: Session) -> StartedTurn:
            question = _find_question(db, message_id)
            if (earlier := _find_by_key(db, question.session_id, key)) is not None:
                if earlier.previous_id != question.id or not is_same_json(earlier.overrides or {}, dict(overrides)):
                    raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
                return StartedTurn(question, earlier)
            position, _ = find_allowed_position(db, self._limits, question.session_id, user_id)
            check_documents(db, question.project_id, overrides.get("document_ids"))
            session, project, creator = db.execute(_SESSION, {"session": question.session_id}).one()
            replaces = _has_complete_answer(db, question)
            if replaces:
                tree.check_alternatives(db, session.id, question)
                tree.show_message(db, question)
            else:
                tree.open_branch(db, session.id, question)
            combined = {**(question.overrides or {}), **overrides}
            options = self._sessions.resolve_pipeline_options(session, project, creator, combined)
            origin = {"asked_by": user_id, "idempotency_key": key, "overrides": dict(overrides) or None}
            shown = {"current": not replaces, "shown": not replaces}
            answer = self._add_answer(db, session, question, position, model=options.model, **origin, **shown)
            request = _build_request(answer, options, project, user_id)
            return StartedTurn(question, answer, request, replaces)  # kill point: again.committing

        return await self._database.run_write(write, Lock.TURNS, brief=True)

    async def complete_request(self, request: AnswerRequest, question: models.Message) -> AnswerRequest:
        """Add the messages up to its question, and the memories of its user, to a request. Raises Unavailable.

        They are read after the turn is stored, because all other turns wait for the lock of that transaction.
        """

        def read(db: Session) -> AnswerRequest:
            messages, refused = read_conversation_and_refused(db, question.previous_id, question.content)
            return replace(
                request,
                messages=messages,
                unanswered=refused,
                memories=self._memories.read_memories(db, request.project_id, request.user_id),
            )

        return await self._database.run_read(read)

    def _add_answer(
        self, db: Session, session: models.ChatSession, question: models.Message, position: int, **values: Any
    ) -> models.Message:
        """Add a pending answer with these additional `values`, and write the event of its question."""
        session.last_activity_at = session.updated_at = models.now()
        answer = _new_message(
            session,
            position=position,
            role=MessageRole.ASSISTANT,
            status=MessageStatus.PENDING,
            previous_id=question.id,
            owner=self._owner.name,
            lease_until=self._owner.lease_end(),
            **{"asked_by": question.asked_by, **values},
        )
        db.add(answer)
        db.flush()
        self._outbox.write_events(db, [query_submitted(question, answer)])
        return answer


def _build_request(
    answer: models.Message, options: PipelineOptions, project: models.Project, user_id: str
) -> AnswerRequest:
    return AnswerRequest(
        project.id,
        user_id,
        (),
        options,
        local_only=project.local_providers_only,
        session_id=answer.session_id,
        message_id=answer.id,
    )


def _find_by_key(db: Session, session_id: str, key: str | None) -> models.Message | None:
    """The message that was stored with a key: a question, or a regenerated answer."""
    if key is None:
        return None
    of_session = select(models.Message).where(models.Message.session_id == session_id)
    return db.scalar(of_session.where(models.Message.idempotency_key == key))


def _add_question(
    db: Session, new: NewQuestion, session: models.ChatSession, position: int, previous_id: str | None
) -> models.Message:
    question = _new_message(
        session,
        position=position,
        previous_id=previous_id,
        asked_by=new.user_id,
        role=MessageRole.USER,
        content=new.content,
        status=MessageStatus.COMPLETED,
        idempotency_key=new.key,  # crash guard: turn.key
        overrides=dict(new.overrides) or None,
        placed=new.placement != AT_THE_END,
        completed_at=models.now(),
    )
    db.add(question)
    if previous_id is None and session.title == NEW_TITLE:
        session.title = title_of_question(new.content)
    return question


def _new_message(session: models.ChatSession, **values: Any) -> models.Message:
    """A message with these columns. All have the same ones, so that those of a turn are inserted together."""
    defaults = {"content": "", "current": True, "shown": True, "overrides": None, "placed": False, "searchable": False}
    return models.Message(
        id=models.new_id(), project_id=session.project_id, session_id=session.id, **{**defaults, **values}
    )


def _find_earlier_turn(db: Session, earlier: models.Message, new: NewQuestion, fork: Fork | None) -> StartedTurn:
    """The turn of a question. Raises Conflict if the key was used for another question, place, or other options."""
    is_same_place = earlier.placed == (fork is not None) and (fork is None or fork.previous_id == earlier.previous_id)
    is_same_question = earlier.content == new.content and is_same_json(earlier.overrides or {}, dict(new.overrides))
    if earlier.role != MessageRole.USER or not (is_same_question and is_same_place):
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
