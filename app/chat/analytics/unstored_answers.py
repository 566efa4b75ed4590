"""The events of answers that are not stored: those of the OpenAI API."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.database import models
from app.database.protocol import Database
from app.events.outbox import Event, Outbox
from app.events.payloads import EventPayload, QuerySubmitted, ResponseGenerated
from app.observation import request_context
from app.providers.server_values import read_fields, read_tokens
from app.rag import events
from app.statuses import AnswerOutcome, MessageStatus

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class UnstoredQuestion:
    """A question that is answered outside chat sessions. Its project is None if no documents are searched."""

    query: str
    project_id: str | None
    user_id: str
    model: str


@dataclass(slots=True)
class UnstoredAnswer:
    """The state of an answer so far."""

    texts: list[str] = field(default_factory=list[str])
    outcome: AnswerOutcome | None = None
    retrieved: int = 0
    citations: int = 0
    tokens: tuple[int | None, int | None] = (None, None)

    def add_step(self, step: events.ProgressEvent | events.CompletedEvent) -> None:
        """Record a step of an answer from documents."""
        match step:
            case events.RetrievalCompletedEvent():
                self.retrieved = len(step.passages)
            case events.DeltaEvent():
                self.texts.append(step.text)
            case events.ReplacedEvent():
                self.texts = [step.content]
            case events.CompletedEvent():
                self.outcome, self.citations = step.outcome, len(step.citations)
                self.tokens = step.usage.input_tokens, step.usage.output_tokens
            case _:
                pass

    def add_relayed(self, chunk: Mapping[str, Any]) -> None:
        """Record a chunk, or the one completion, of a model's own answer. Any field may be missing or mistyped."""
        usage = chunk.get("usage")
        if isinstance(usage, Mapping):
            counts = cast("Mapping[str, Any]", usage)
            self.tokens = read_tokens(counts.get("prompt_tokens")), read_tokens(counts.get("completion_tokens"))
        choices = chunk.get("choices")
        for choice in map(read_fields, cast("list[object]", choices) if isinstance(choices, list) else []):
            message = read_fields(choice.get("delta") or choice.get("message"))
            written = (message.get("content"), message.get("refusal"))
            self.texts += [text for text in written if isinstance(text, str)]
            if choice.get("finish_reason"):  # some servers send an empty one with each chunk
                self.outcome = AnswerOutcome.PASSED_THROUGH


class UnstoredAnswers:
    """Writes the events of answers that leave nothing else in the database."""

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox
        self._writes: set[asyncio.Task[None]] = set()

    def stored_length(self, query: str) -> int | None:
        """How many characters of a question its events store; None if no events are written."""
        return self._outbox.stored_length(query) if self._outbox.is_on else None

    @asynccontextmanager
    async def report_answer(self, question: UnstoredQuestion) -> AsyncGenerator[UnstoredAnswer]:
        """Write the event of a question before the block, and that of its answer's end after it, however it ends.

        If the process is killed in between, there is no event of the end. Without events, this does nothing.
        """
        answer = UnstoredAnswer()
        if not self._outbox.is_on:
            yield answer
            return
        order_key, start = models.new_id(), time.monotonic()
        correlation_id = request_context.current_id() or order_key
        write = partial(self._write, correlation_id=correlation_id, order_key=order_key, project_id=question.project_id)
        await write(QuerySubmitted(**_question_fields(question)))
        error: BaseException | None = None
        try:
            yield answer
        except BaseException as raised:
            error = raised
            raise
        finally:
            end = write(_describe_end(question, answer, error, (time.monotonic() - start) * 1000))
            # A client that has its answer may close the connection meanwhile, which cancels the request's task.
            task = asyncio.create_task(end)
            self._writes.add(task)
            task.add_done_callback(self._writes.discard)
            await asyncio.shield(task)

    async def drain(self) -> None:
        """Wait until all pending writes have finished."""
        if self._writes:
            await asyncio.wait(self._writes)

    async def _write(
        self, payload: EventPayload, *, correlation_id: str, order_key: str, project_id: str | None
    ) -> None:
        event = Event(payload, correlation_id, order_key, project_id)
        try:
            await self._database.run_write(lambda db: self._outbox.write_events(db, [event]))
        except (errors.Unavailable, SQLAlchemyError) as error:  # the user gets the answer all the same
            log.error("an event of an answer is lost, request=%s: %s", correlation_id, error)


def _describe_end(
    question: UnstoredQuestion, answer: UnstoredAnswer, error: BaseException | None, latency_ms: float
) -> ResponseGenerated:
    """An answer that was complete when its client closed the connection is not cancelled."""
    status, failure = MessageStatus.COMPLETED, None
    if answer.outcome is None:
        code = errors.failure_code(error)
        status = MessageStatus.CANCELLED if code == "CANCELLED" else MessageStatus.FAILED
        failure = code if status is MessageStatus.FAILED else None
    return ResponseGenerated(
        **_question_fields(question),
        response="".join(answer.texts),
        status=status,
        outcome=answer.outcome,
        failure=failure,
        latency_ms=round(latency_ms, 1),
        citation_count=answer.citations,
        retrieval_count=answer.retrieved,
        input_tokens=answer.tokens[0],
        output_tokens=answer.tokens[1],
    )


def _question_fields(question: UnstoredQuestion) -> dict[str, Any]:
    none = dict.fromkeys(("session_id", "question_id", "answer_id"))
    return {
        "query": question.query,
        "project_id": question.project_id,
        "user_id": question.user_id,
        "model_id": question.model,
        **none,
    }
