"""One turn: a question in; its answer is worked out by a task that the server owns, and told through the journal.

Leaving does not stop an answer; `cancel` does. Whatever happens, the answer's status becomes final and its log ends.
"""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import aclosing, suppress
from typing import Any, TypeVar

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.chat.answer_log.compaction import RUNNING
from app.chat.answer_log.draft import Draft
from app.chat.answer_log.ending import end
from app.chat.answer_log.journal import AnswerLog
from app.chat.answer_log.log_entries import Log
from app.chat.memories import Memories
from app.chat.sessions import Sessions
from app.chat.turn_store import RunningLimits, Started, Starting
from app.database import models
from app.database.engine import Database
from app.database.leases import Owner
from app.rag import events
from app.rag.pipeline import Pipeline
from app.rag.request import AnswerRequest, PipelineOptions

Result = TypeVar("Result")
Metered = Callable[[str, int], Awaitable[None]]
"""Told which user has spent how many tokens."""

log = logging.getLogger(__name__)

# How long the end of an answer that was interrupted or cancelled may take to be written.
_LAST_SECONDS = 2.0
# When to ask again whether it is; a full disk takes longer, but nobody knows how long.
_RETRY_MS = 1_000
# How often to look for answers that were ended elsewhere.
_WATCH_SECONDS = 1.0
_UNWRITTEN = "The answer has been stopped, but the database cannot be written now; its end is kept until it can be."
_INTERRUPTED = "The server stopped while this answer was being given; the text so far was kept."


class Turns:
    """The answers that are being given, one task each."""

    def __init__(
        self,
        database: Database,
        sessions: Sessions,
        memories: Memories,
        pipeline: Pipeline,
        journal: AnswerLog,
        owner: Owner,
        limits: RunningLimits,
        metered: Metered,
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._memories = memories
        self._pipeline = pipeline
        self._journal = journal
        self._owner = owner
        self._starting = Starting(database, sessions, owner, limits)
        self._metered = metered
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
        Invalid, Conflict while another answer of the session is being given, or Unavailable while too many are.
        """
        starting = self._starting.ask(session_id, user_id, content, idempotency_key, overrides or {})
        started = await self._begin(starting, user_id)
        return started.question, started.answer

    async def regenerate(self, message_id: str, *, user_id: str, idempotency_key: str | None = None) -> models.Message:
        """Answer the last question of a session once more; the row of the new answer, which is PENDING.

        The answer so far stays until the new one is whole, and then leaves the history. Raises as `send` does.
        """
        started = await self._begin(self._starting.again(message_id, user_id, idempotency_key), user_id)
        return started.answer

    async def _begin(self, starting: Coroutine[Any, Any, Started], user_id: str) -> Started:
        # A client that leaves in the middle must not leave a row behind that nobody works on.
        return await asyncio.shield(self._kept(self._work_on(starting, user_id)))

    async def _work_on(self, starting: Coroutine[Any, Any, Started], user_id: str) -> Started:
        started = await starting
        if started.settings is None:
            return started
        answer_id = started.answer.id
        running = self._journal.open(answer_id, started.replaces)  # kill point: turn.committed
        task = self._kept(self._run(started.question, user_id, running, started.settings, started.local_only))
        self._tasks[answer_id] = task
        task.add_done_callback(lambda _: self._forget(answer_id))
        # kill point: turn.started
        await asyncio.sleep(0)  # the task has begun: cancelled before that, it could not end its log
        return started

    def _forget(self, answer_id: str) -> None:
        self._tasks.pop(answer_id, None)
        self._cancelled.discard(answer_id)

    def _kept(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """A task of ours, whoever asked for it; the event loop alone would forget it."""
        task = asyncio.create_task(work)
        self._all.add(task)
        task.add_done_callback(self._all.discard)
        return task

    async def cancel(self, message_id: str) -> models.Message:
        """Stop an answer and its model; the row with the text so far. One that is final stays as it is.

        One that another process is giving is ended here; that process finds out within a second and stops its model.
        Raises NotFound, Invalid for a message that is no answer, or Unavailable when the end cannot be written now; the
        answer has stopped even so, and its end follows.
        """
        task = self._tasks.get(message_id)
        if task is not None:
            if message_id not in self._cancelled:  # a second time would take the task from its last words
                self._cancelled.add(message_id)
                task.cancel()
            _, writing = await asyncio.wait([task], timeout=_LAST_SECONDS)
            if writing:
                raise errors.Unavailable(_UNWRITTEN, "database", _RETRY_MS)
        message = await self._answer_row(message_id)
        if message.status not in RUNNING:
            return message
        async with self._database.begin() as db:
            await end(db, message_id, events.CancelledEvent(), "CANCELLED")
        return await self._answer_row(message_id)

    async def _answer_row(self, message_id: str) -> models.Message:
        message = (await self._sessions.messages_by_ids([message_id]))[0]
        if message is None:
            raise errors.NotFound("message", message_id)
        if message.role != "ASSISTANT":
            raise errors.Invalid.one("messageId", "INVALID", "Only an answer can be cancelled; this is a question.")
        return message

    async def watch(self) -> None:
        """Stop the answers that have been ended or deleted elsewhere, for as long as the server runs."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            given = list(self._tasks)
            if not given:
                continue
            there = select(models.Message.id).where(models.Message.id.in_(given), models.Message.status.in_(RUNNING))
            try:
                async with self._database.read() as db:
                    ended = set(given) - set(await db.scalars(there))
            except (errors.Unavailable, SQLAlchemyError) as error:
                if not self._database.is_lost:
                    log.warning("whether answers were ended elsewhere cannot be read now: %s", error)
                    continue
                self._journal.abandon()
                ended = set(given)
            # Those that ended here meanwhile have no task any more.
            for task in [self._tasks[id] for id in ended if id in self._tasks]:
                task.cancel()

    async def recover(self) -> int:
        """End the answers whose process is gone, with the text that was written; how many."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.Message).where(models.Message.status.in_(RUNNING)))
            left = [row.id for row in rows if self._owner.is_gone(row.owner, row.lease_until)]
        for message_id in left:  # kill point: recover.answers
            async with self._database.begin() as db:  # kill point: recover.committing, recover.next
                failed = events.FailedEvent("INTERRUPTED", _INTERRUPTED, retryable=True)
                await end(db, message_id, failed, "INTERRUPTED")  # kill point: recover.answer
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

    @property
    def running(self) -> int:
        """How many answers are being given here."""
        return len(self._tasks)

    async def drain(self, seconds: float) -> None:
        """Let running answers end for `seconds`, then interrupt them; each keeps its text.

        What cannot be written then, because the disk is full, is told by whoever takes up the work of this process.
        """
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=seconds)
        for task in list(self._tasks.values()):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()), timeout=_LAST_SECONDS)

    async def _run(
        self, question: models.Message, user_id: str, running: Log, settings: PipelineOptions, local_only: bool
    ) -> None:
        draft = Draft()
        try:
            try:
                request = AnswerRequest(
                    question.project_id,
                    user_id,
                    await self._sessions.conversation(question.session_id, question.content, question.position),
                    settings,
                    local_only=local_only,
                    memories=await self._memories.load(question.project_id, user_id),
                )
                await self._answer(request, running, draft, user_id)
                return
            except asyncio.CancelledError:
                if running.message_id in self._cancelled:
                    last, status = events.CancelledEvent(), "CANCELLED"
                else:
                    last, status = events.FailedEvent("INTERRUPTED", _INTERRUPTED, retryable=True), "INTERRUPTED"
            except errors.AnswerError as error:
                last, status = events.FailedEvent(error.failure, error.message, error.retryable), "FAILED"
            except Exception:  # the asker gets an id instead of details, the log has both; the task must end the log
                reference = uuid.uuid4().hex[:12]
                log.exception("answer failed, message=%s reference=%s", running.message_id, reference)
                message = f"Something broke while this answer was given (log: {reference})."
                last, status = events.FailedEvent("INTERNAL", message, retryable=True), "FAILED"
            failure = last if isinstance(last, events.FailedEvent) else None
            if draft.text or not isinstance(last, events.FailedEvent):
                await self._meter(user_id, draft.spent)
            await self._finish(running, draft, last, status, failure)
        finally:
            _record(running, settings, draft)

    async def _answer(self, request: AnswerRequest, running: Log, draft: Draft, user_id: str) -> None:
        async with aclosing(self._pipeline.answer(request)) as happenings:
            async for event in happenings:
                draft.add(event)
                if isinstance(event, events.CompletedEvent):
                    # Before the end is told: who asks at once again meets the count.
                    await self._meter(user_id, event.usage.input_tokens + event.usage.output_tokens)
                    await self._finish(running, draft, event, "COMPLETED")
                elif running.gone:
                    await self._meter(user_id, draft.spent)
                    return
                else:
                    self._journal.append(running, event)

    async def _meter(self, user_id: str, tokens: int) -> None:
        with suppress(errors.Unavailable):  # the answer is given; a count that is lost harms nobody
            await self._metered(user_id, tokens)

    async def _finish(
        self,
        running: Log,
        draft: Draft,
        last: events.LoggedEvent,
        status: str,
        failure: events.FailedEvent | None = None,
    ) -> None:
        content = "".join(draft.text)
        await self._journal.finish(running, last, draft.final(status, content, failure=failure))


def _record(running: Log, settings: PipelineOptions, draft: Draft) -> None:
    """One line in the server's log per answer; no text of documents, questions or answers."""
    done = draft.completed
    usage = done.usage if done else None
    log.info(
        "answer message=%s model=%s rag_enabled=%s top_k=%d outcome=%s citations=%d retrieval_ms=%s first_token_ms=%s "
        "total_ms=%s",
        running.message_id,
        settings.model,
        settings.enable_rag,
        settings.rag_top_k,
        done.outcome if done else running.final and running.final["status"],
        len(done.citations) if done else 0,
        usage and usage.retrieval_ms and round(usage.retrieval_ms, 1),
        usage and usage.first_token_ms and round(usage.first_token_ms, 1),
        usage and round(usage.total_ms, 1),
    )
