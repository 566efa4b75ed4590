"""The tasks that generate answers in this process, and everything that can stop them early."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.chat.answer_log.log import AnswerLog
from app.database import models
from app.database.protocol import Database
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.observation.outages import OutageLog
from app.statuses import RUNNING

Result = TypeVar("Result")

log = logging.getLogger(__name__)

# How long writing the end of an interrupted or cancelled answer may take.
_END_SECONDS = 2.0
# How long to wait before reading again when the database cannot be read.
_READ_AGAIN_SECONDS = 1.0
_UNREADABLE = "cannot read which answers other processes have ended"


class AnswerTasks:
    """One task for each answer that this process generates. Tasks belong to the server, not to requests."""

    def __init__(self, database: Database, notifier: Notifier, answer_log: AnswerLog) -> None:
        self._database = database
        self._notifier = notifier
        self._answer_log = answer_log
        self._by_answer: dict[str, asyncio.Task[None]] = {}
        self._rows: dict[str, models.Message] = {}
        self._kept: set[asyncio.Task[Any]] = set()
        self._cancelled: set[str] = set()

    def keep_task(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        """Start a task and keep a reference to it, because the event loop keeps none."""
        task = asyncio.create_task(work)
        self._kept.add(task)
        task.add_done_callback(self._kept.discard)
        return task

    def start_answer(self, answer: models.Message, work: Coroutine[Any, Any, None]) -> None:
        """Start the task of an answer."""
        self._rows[answer.id] = answer
        task = self._by_answer[answer.id] = self.keep_task(work)
        task.add_done_callback(lambda _: self._forget_answer(answer.id))

    def _forget_answer(self, answer_id: str) -> None:
        self._by_answer.pop(answer_id, None)
        self._rows.pop(answer_id, None)
        self._cancelled.discard(answer_id)

    def find_answer(self, answer_id: str) -> models.Message | None:
        """The row of an answer that this process is generating, as it was stored at first."""
        return self._rows.get(answer_id)

    @property
    def count(self) -> int:
        """Number of answers that this process is generating."""
        return len(self._by_answer)

    def was_cancelled(self, answer_id: str) -> bool:
        """Whether a user cancelled the answer, as opposed to the server stopping it."""
        return answer_id in self._cancelled

    async def cancel_answer(self, answer_id: str) -> bool:
        """Stop an answer and wait for its end; False if the end cannot be written now and will be written later."""
        task = self._by_answer.get(answer_id)
        if task is None:
            return True
        if answer_id not in self._cancelled:  # a second cancel would interrupt the final write
            self._cancelled.add(answer_id)
            task.cancel()
        _, unfinished = await asyncio.wait([task], timeout=_END_SECONDS)
        return not unfinished

    async def stop_ended_answers(self) -> None:
        """Stop answers that other processes have ended or deleted, for as long as the server runs."""
        outages = OutageLog(log, _UNREADABLE, "can read again which answers other processes have ended")
        with self._notifier.subscribe(topics.ANSWERS_ENDED) as changes:
            while True:
                await changes.wait()
                try:
                    self._stop_tasks(await self._find_ended(list(self._by_answer)))
                    outages.report_success()
                except (errors.Unavailable, SQLAlchemyError) as error:
                    if not self.stop_if_lost():
                        outages.report_failure(error)
                        await asyncio.sleep(_READ_AGAIN_SECONDS)
                        changes.wake(topics.ANSWERS_ENDED)

    async def _find_ended(self, ids: list[str]) -> set[str]:
        """The answers that are final in the database, or were deleted."""
        if not ids:
            return set()
        running = select(models.Message.id).where(models.Message.id.in_(ids), models.Message.status.in_(RUNNING))
        return set(ids) - await self._database.run_read(lambda db: set(db.scalars(running)))

    def stop_if_lost(self) -> bool:
        """Stop all answers if the database is lost, because they cannot be written any more. Returns whether it is."""
        if self._database.is_lost:
            self._answer_log.abandon_logs()
            self._stop_tasks(list(self._by_answer))
        return self._database.is_lost

    def _stop_tasks(self, ids: Iterable[str]) -> None:
        # Some may have ended in the meantime.
        for task in [self._by_answer[id] for id in ids if id in self._by_answer]:
            task.cancel()

    async def wait_until_idle(self) -> None:
        """Wait until this process generates no answers."""
        while self._by_answer:
            await asyncio.wait(list(self._by_answer.values()))

    async def drain(self, seconds: float) -> None:
        """Wait up to `seconds` for running answers to end, then interrupt them; each keeps its text.

        If the end cannot be written, for example because the disk is full, the next process writes it when it recovers.
        """
        if self._by_answer:
            await asyncio.wait(list(self._by_answer.values()), timeout=seconds)
        self._stop_tasks(list(self._by_answer))
        if self._by_answer:
            await asyncio.wait(list(self._by_answer.values()), timeout=_END_SECONDS)
