"""One turn: a question in; its answer is worked out by a task that the server owns, and told through the journal.

Leaving does not stop an answer; `cancel` does. Whatever happens, the answer's status becomes final and its log ends.
"""

import asyncio
import logging
import uuid
from collections.abc import Coroutine, Mapping
from contextlib import aclosing
from typing import Any, TypeVar

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.chat.draft import Draft
from app.chat.journal import RUNNING, Journal, Log
from app.chat.memories import Memories
from app.chat.sessions import Sessions, check_documents
from app.database import models
from app.database.engine import Database
from app.database.leases import Owner
from app.rag import events
from app.rag.pipeline import Pipeline
from app.rag.request import Request, Settings

Result = TypeVar("Result")

log = logging.getLogger(__name__)

MAX_QUESTION = 100_000
_TITLE_LENGTH = 80
_INTERRUPTED = "The server stopped while this answer was being given; the text so far was kept."


class Turns:
    """The answers that are being given, one task each."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        memories: Memories,
        pipeline: Pipeline,
        journal: Journal,
        owner: Owner,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._memories = memories
        self._pipeline = pipeline
        self._journal = journal
        self._owner = owner
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._all: set[asyncio.Task[Any]] = set()
        self._cancelled: set[str] = set()

    async def send(
        self,
        session_id: str,
        content: str,
        *,
        user_id: str,
        idempotency_key: str | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> tuple[models.Message, models.Message]:
        """Store a question of `user_id` with its PENDING answer and start the work; both rows.

        The same key in the same session gives the first call's rows again and starts nothing. Raises NotFound,
        Invalid, or Conflict while another answer of the session is being given.
        """
        overrides = dict(overrides or {})
        check_question(content)
        _check_key(idempotency_key)
        self._sessions.check_overrides(overrides)
        # A client that leaves in the middle must not leave a row behind that nobody works on.
        return await asyncio.shield(self._kept(self._send(session_id, user_id, content, idempotency_key, overrides)))

    async def _send(
        self, session_id: str, user_id: str, content: str, idempotency_key: str | None, overrides: dict[str, Any]
    ) -> tuple[models.Message, models.Message]:
        async with self._database.begin() as db:
            session = await db.get(models.ChatSession, session_id)
            if session is None:
                raise errors.NotFound("chat session", session_id)
            if idempotency_key is not None and (earlier := await _turn_with_key(db, session_id, idempotency_key)):
                return earlier
            await _refuse_second(db, session_id)
            await check_documents(db, session.project_id, overrides.get("document_ids"))
            project = await db.get_one(models.Project, session.project_id)
            question, answer = _rows(session, content, idempotency_key, overrides)
            answer.owner, answer.lease_until = self._owner.name, self._owner.lease()
            db.add_all([question, answer])
            session.updated_at = models.now()
            if session.title == "New chat":
                session.title = " ".join(content.split())[:_TITLE_LENGTH]
            settings = self._sessions.resolve(session, project, overrides)
        running = self._journal.open(answer.id)
        task = self._kept(self._run(question, user_id, running, settings, project.local_providers_only))
        self._tasks[answer.id] = task
        task.add_done_callback(lambda _: self._tasks.pop(answer.id, None))
        await asyncio.sleep(0)  # the task has begun: cancelled before that, it could not end its log
        return question, answer

    def _kept(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """A task of ours, whoever asked for it; the event loop alone would forget it."""
        task = asyncio.create_task(work)
        self._all.add(task)
        task.add_done_callback(self._all.discard)
        return task

    async def cancel(self, message_id: str) -> models.Message:
        """Stop an answer and its model; the row with the text so far. One that is final stays as it is.

        Raises NotFound, Invalid for a message that is no answer, Conflict for one that another process is giving.
        """
        task = self._tasks.get(message_id)
        if task is not None:
            self._cancelled.add(message_id)
            task.cancel()
            await asyncio.wait([task])
            self._cancelled.discard(message_id)
        message = (await self._sessions.messages_by_ids([message_id]))[0]
        if message is None:
            raise errors.NotFound("message", message_id)
        if message.role != "ASSISTANT":
            raise errors.Invalid.one("messageId", "INVALID", "Only an answer can be cancelled; this is a question.")
        if message.status in RUNNING:
            raise errors.Conflict("Another process of this server is giving this answer; cancel it there.", message)
        return message

    async def recover(self) -> int:
        """End the answers whose process is gone, with the text that was written; how many."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.Message).where(models.Message.status.in_(RUNNING)))
            left = [row.id for row in rows if self._owner.is_gone(row.owner, row.lease_until)]
        for message_id in left:
            tail = await self._journal.stored(message_id)
            failed = events.Failed("INTERRUPTED", _INTERRUPTED, retryable=True)
            draft = Draft()
            for entry in tail.entries:
                draft.add(entry.event)
            running = self._journal.open(message_id)
            running.tail, running.started = tail, True
            await self._journal.finish(running, failed, draft.final("INTERRUPTED", tail.content, failure=failed))
        return len(left)

    async def renew(self) -> None:
        """Sign of life for the answers that are being given here."""
        async with self._database.begin() as db:
            await db.execute(
                update(models.Message)
                .where(models.Message.id.in_(self._journal.running()), models.Message.owner == self._owner.name)
                .values(lease_until=self._owner.lease())
                .execution_options(synchronize_session=False)
            )

    async def drain(self, seconds: float) -> None:
        """Let running answers end for `seconds`, then interrupt them; each keeps its text."""
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=seconds)
        for task in list(self._tasks.values()):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()))

    async def _run(
        self, question: models.Message, user_id: str, running: Log, settings: Settings, local_only: bool
    ) -> None:
        draft = Draft()
        try:
            try:
                request = Request(
                    question.project_id,
                    await self._sessions.conversation(question),
                    settings,
                    local_only=local_only,
                    memories=await self._memories.load(question.project_id, user_id),
                )
                await self._answer(request, running, draft)
                return
            except asyncio.CancelledError:
                if running.message_id in self._cancelled:
                    last, status = events.Cancelled(), "CANCELLED"
                else:
                    last, status = events.Failed("INTERRUPTED", _INTERRUPTED, retryable=True), "INTERRUPTED"
            except errors.AnswerError as error:
                last, status = events.Failed(error.failure, error.message, error.retryable), "FAILED"
            except Exception:  # the asker gets an id instead of details, the log has both; the task must end the log
                reference = uuid.uuid4().hex[:12]
                log.exception("answer failed, message=%s reference=%s", running.message_id, reference)
                message = f"Something broke while this answer was given (log: {reference})."
                last, status = events.Failed("INTERNAL", message, retryable=True), "FAILED"
            failure = last if isinstance(last, events.Failed) else None
            await self._finish(running, draft, last, status, failure)
        finally:
            _record(running, settings, draft)

    async def _answer(self, request: Request, running: Log, draft: Draft) -> None:
        async with aclosing(self._pipeline.answer(request)) as happenings:
            async for event in happenings:
                draft.add(event)
                if isinstance(event, events.Completed):
                    await self._finish(running, draft, event, "COMPLETED")
                elif running.gone:
                    return
                else:
                    self._journal.append(running, event)

    async def _finish(
        self, running: Log, draft: Draft, last: events.Event, status: str, failure: events.Failed | None = None
    ) -> None:
        content = "".join(draft.text)
        await self._journal.finish(running, last, draft.final(status, content, failure=failure))


def check_question(content: str) -> None:
    """Raises Invalid for a question that is empty or too long."""
    if not content.strip():
        raise errors.Invalid.one("content", "REQUIRED", "A message needs some text.")
    if len(content) > MAX_QUESTION:
        raise errors.Invalid.one("content", "TOO_LONG", f"A message has at most {MAX_QUESTION:,} characters.")


def _check_key(idempotency_key: str | None) -> None:
    if idempotency_key is not None and not 1 <= len(idempotency_key) <= 200:
        raise errors.Invalid.one("idempotencyKey", "TOO_LONG", "An idempotency key has 1 to 200 characters.")


async def _turn_with_key(db: AsyncSession, session_id: str, key: str) -> tuple[models.Message, models.Message] | None:
    of_session = select(models.Message).where(models.Message.session_id == session_id)
    question = await db.scalar(of_session.where(models.Message.idempotency_key == key))
    if question is None:
        return None
    answers = await db.scalars(of_session.where(models.Message.reply_to == question.id).order_by(models.Message.id))
    return question, answers.one()


async def _refuse_second(db: AsyncSession, session_id: str) -> None:
    running = await db.scalar(
        select(models.Message).where(models.Message.session_id == session_id, models.Message.status.in_(RUNNING))
    )
    if running is not None:
        raise errors.Conflict("An answer is being given in this session; wait for its end or cancel it.", running)


def _rows(
    session: models.ChatSession, content: str, key: str | None, overrides: dict[str, Any]
) -> tuple[models.Message, models.Message]:
    common = {"project_id": session.project_id, "session_id": session.id}
    question = models.Message(
        id=models.new_id(),
        role="USER",
        content=content,
        status="COMPLETED",
        idempotency_key=key,
        overrides=overrides or None,
        completed_at=models.now(),
        **common,
    )
    answer = models.Message(id=models.new_id(), role="ASSISTANT", status="PENDING", reply_to=question.id, **common)
    return question, answer


def _record(running: Log, settings: Settings, draft: Draft) -> None:
    """One line in the server's log per answer; no text of documents, questions or answers."""
    done = draft.completed
    usage = done.usage if done else None
    log.info(
        "answer message=%s model=%s rag_enabled=%s top_k=%d outcome=%s citations=%d retrieval_ms=%s first_token_ms=%s "
        "total_ms=%s",
        running.message_id,
        settings.model,
        settings.enable_rag,
        settings.top_k,
        done.outcome if done else running.final and running.final["status"],
        len(done.citations) if done else 0,
        usage and usage.retrieval_ms and round(usage.retrieval_ms, 1),
        usage and usage.first_token_ms and round(usage.first_token_ms, 1),
        usage and round(usage.total_ms, 1),
    )
