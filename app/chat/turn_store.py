"""Create the rows of a turn, for a new question or a regenerated answer, in one transaction.

Every rule that can refuse a turn is checked in that transaction, so that it also holds for concurrent requests and
several processes: a key creates one turn, and no more answers run at once than the limits allow.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors, language
from app.chat.sessions import Sessions, check_documents
from app.database import models
from app.database.leases import Owner
from app.database.locks import Lock
from app.database.protocol import Database
from app.rag.request import PipelineOptions
from app.statuses import RUNNING, MessageStatus

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
        async with self._database.begin(Lock.TURNS) as db:  # kill point: turn.committing
            session = await db.get(models.ChatSession, session_id)
            if session is None:
                raise errors.NotFound("chat session", session_id)
            if (earlier := await _find_by_key(db, session_id, key)) is not None:
                return await _find_earlier_turn(db, earlier, content, overrides)
            await self._check_limits(db, session_id, user_id)
            await check_documents(db, session.project_id, overrides.get("document_ids"))
            question = models.Message(
                id=models.new_id(),
                project_id=session.project_id,
                session_id=session_id,
                position=await _next_position(db, session_id),
                asked_by=user_id,
                role="USER",
                content=content,
                status=MessageStatus.COMPLETED,
                idempotency_key=key,  # crash guard: turn.key
                overrides=dict(overrides) or None,
                completed_at=models.now(),
            )
            db.add(question)
            session.updated_at = models.now()
            if session.title == "New chat":
                session.title = language.to_one_line(content, _TITLE_LENGTH) or session.title
            return await self._create_answer(db, session, question, user_id)  # crash guard: turn.answer

    async def create_regeneration(self, message_id: str, user_id: str, key: str | None) -> StartedTurn:
        """Store another PENDING answer to a question. Raises NotFound, Invalid, Conflict or Unavailable.

        Only for the last question of a session, because later turns build on the answers before them.
        """
        _check_key(key)
        async with self._database.begin(Lock.TURNS) as db:  # kill point: again.committing
            answer = await db.get(models.Message, message_id)
            if answer is None:
                raise errors.NotFound("message", message_id)
            if answer.role != "ASSISTANT":
                raise errors.Invalid.at(
                    "messageId", "INVALID", "Only an answer can be regenerated; this is a question."
                )
            question = await db.get_one(models.Message, answer.reply_to)
            if (earlier := await _find_by_key(db, answer.session_id, key)) is not None:
                if earlier.reply_to != question.id:
                    raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
                return StartedTurn(question, earlier)
            await self._check_limits(db, answer.session_id, user_id)
            await _check_last(db, question)
            session = await db.get_one(models.ChatSession, answer.session_id)
            session.updated_at = models.now()
            return await self._create_answer(db, session, question, user_id, key)

    async def _create_answer(
        self,
        db: AsyncSession,
        session: models.ChatSession,
        question: models.Message,
        user_id: str,
        key: str | None = None,
    ) -> StartedTurn:
        project = await db.get_one(models.Project, session.project_id)
        shown = _select_answers(question.id).where(models.Message.replaced_by.is_(None))
        replaces = tuple(row.id for row in await db.scalars(shown))
        answer = models.Message(
            id=models.new_id(),
            project_id=session.project_id,
            session_id=session.id,
            position=await _next_position(db, session.id),
            asked_by=user_id,
            role="ASSISTANT",
            status=MessageStatus.PENDING,
            reply_to=question.id,
            idempotency_key=key,
            owner=self._owner.name,
            lease_until=self._owner.lease_end(),
        )
        db.add(answer)
        creator = await db.get(models.User, session.created_by)
        options = self._sessions.resolve_pipeline_options(session, project, creator, question.overrides or {})
        return StartedTurn(question, answer, options, project.local_providers_only, replaces)

    async def _check_limits(self, db: AsyncSession, session_id: str, user_id: str) -> None:
        running = models.Message.status.in_(RUNNING)
        of_session = select(models.Message).where(models.Message.session_id == session_id, running)
        others = (await db.scalars(of_session.limit(self._limits.per_session))).all()
        if len(others) == self._limits.per_session:
            raise errors.Conflict(
                "An answer is already being generated in this session; wait for it to finish, or cancel it.", others[0]
            )
        of_user = func.count().filter(models.Message.asked_by == user_id)
        total, own = (await db.execute(select(func.count(), of_user).where(running))).one()
        if own >= self._limits.per_user:
            message = f"{own} answers are being generated for you, the most allowed at once; wait for one to finish."
            raise errors.Unavailable(message, "answers", _RETRY_MS)
        if total >= self._limits.total:
            message = f"{total} answers are being generated, the most allowed at once; try again in a moment."
            raise errors.Unavailable(message, "answers", _RETRY_MS)


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


async def _next_position(db: AsyncSession, session_id: str) -> int:
    """The position of the next message. If two are inserted concurrently, the unique index rejects the second."""
    last = select(func.max(models.Message.position)).where(models.Message.session_id == session_id)
    return (await db.scalar(last) or 0) + 1


async def _find_by_key(db: AsyncSession, session_id: str, key: str | None) -> models.Message | None:
    """The message that was stored with a key: a question, or a regenerated answer."""
    if key is None:
        return None
    of_session = select(models.Message).where(models.Message.session_id == session_id)
    return await db.scalar(of_session.where(models.Message.idempotency_key == key))


async def _find_earlier_turn(
    db: AsyncSession, earlier: models.Message, content: str, overrides: Mapping[str, Any]
) -> StartedTurn:
    """The turn of a question. Raises Conflict if the key was used for another question, or with other options."""
    if earlier.role != "USER" or (earlier.content, earlier.overrides or {}) != (content, overrides):
        raise errors.Conflict("This idempotency key was already used for a different request.", earlier)
    first = await db.scalars(_select_answers(earlier.id).order_by(models.Message.position).limit(1))
    return StartedTurn(earlier, first.one())


async def _check_last(db: AsyncSession, question: models.Message) -> None:
    later = select(models.Message).where(
        models.Message.session_id == question.session_id,
        models.Message.role == "USER",
        models.Message.position > question.position,
    )
    newer = await db.scalar(later.order_by(models.Message.position.desc()).limit(1))
    if newer is not None:
        raise errors.Conflict(
            "Only the last answer of a session can be regenerated; later messages build on this one.", newer
        )


def _select_answers(question_id: str) -> Select[models.Message]:
    return select(models.Message).where(models.Message.reply_to == question_id, models.Message.role == "ASSISTANT")
