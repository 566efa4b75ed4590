"""Follow answers that other processes are generating.

A process notifies the others when it has written to a log; they then read it. One pair of queries serves all readers in
this process, whatever answers they follow. Notifications that arrive meanwhile lead to one more read.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import Row, and_, or_, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.protocol import Database
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.statuses import RUNNING, MessageStatus

# How long to wait after a read, so that notifications about many answers are handled together.
_GATHER_SECONDS = 0.025
# Answers per query, because the database limits the length of a condition.
_ANSWERS_PER_QUERY = 200


@dataclass(eq=False)
class _RemoteAnswer:
    """An answer of another process: its events so far, and whether it has ended."""

    message_id: str
    payloads: list[Any] = field(default_factory=list[Any])
    readers: int = 0
    has_ended: bool = False
    failure: Exception | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wake_readers(self) -> None:
        """Wake all readers, because something has changed."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class RemoteAnswers:
    """Follows answers through the database."""

    def __init__(self, database: Database, notifier: Notifier) -> None:
        self._database = database
        self._followed: dict[str, _RemoteAnswer] = {}
        self._changes = notifier.subscribe(topics.ANSWERS_ENDED)
        self._reading: asyncio.Task[None] | None = None

    async def follow(self, message_id: str) -> AsyncGenerator[Sequence[Any]]:
        """Yield the payloads of an answer's events: those already written, then new ones until its end."""
        answer = self._followed.get(message_id) or self._start_following(message_id)
        answer.readers += 1
        seen = 0
        try:
            while True:
                changed = answer.changed
                fresh = answer.payloads[seen:]
                seen += len(fresh)
                if fresh:
                    yield fresh
                if answer.failure is not None:
                    raise answer.failure
                if answer.has_ended and seen == len(answer.payloads):
                    return
                if changed is answer.changed:
                    await changed.wait()
        finally:
            answer.readers -= 1
            if not answer.readers and self._followed.get(message_id) is answer:
                self._stop_following(answer)

    def _start_following(self, message_id: str) -> _RemoteAnswer:
        answer = self._followed[message_id] = _RemoteAnswer(message_id)
        self._changes.add(topics.answer(message_id))
        self._changes.wake(topics.answer(message_id))  # for the first read
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_while_followed())
        return answer

    def _stop_following(self, answer: _RemoteAnswer) -> None:
        del self._followed[answer.message_id]
        self._changes.discard(topics.answer(answer.message_id))
        self._changes.wake(topics.answer(answer.message_id))  # there may be no readers left

    async def _read_while_followed(self) -> None:
        """Read when notified, until there are no readers. Its errors are raised by the readers."""
        try:
            while self._followed:
                notified = await self._changes.wait()
                changed = [answer for answer in self._followed.values() if _may_have_changed(answer, notified)]
                for start in range(0, len(changed), _ANSWERS_PER_QUERY):
                    await self._read_changes(changed[start : start + _ANSWERS_PER_QUERY])
                if changed:
                    await asyncio.sleep(_GATHER_SECONDS)
        except Exception as error:  # raised again by each reader
            for answer in list(self._followed.values()):
                answer.failure = error
                answer.wake_readers()
                self._stop_following(answer)
        finally:
            self._reading = None

    async def _read_changes(self, group: Sequence[_RemoteAnswer]) -> None:
        statuses, rows = await self._database.run_read(partial(_read_group, group))
        fresh: dict[str, list[Any]] = {}
        for message_id, payload in rows:
            fresh.setdefault(message_id, []).append(payload)
        for answer in group:
            answer.payloads += fresh.get(answer.message_id, [])
            answer.has_ended = statuses.get(answer.message_id) not in RUNNING
            if answer.has_ended or answer.message_id in fresh:
                answer.wake_readers()


def _read_group(
    group: Sequence[_RemoteAnswer], db: Session
) -> tuple[dict[str, MessageStatus], Sequence[Row[str, dict[str, Any]]]]:
    """The status of each answer, and the events that are not yet known: (message id, payload), in order."""
    message, event = models.Message, models.AnswerEvent
    ids = [answer.message_id for answer in group]
    found = db.execute(select(message.id, message.status).where(message.id.in_(ids)))
    statuses = {row.id: row.status for row in found}
    after = [and_(event.message_id == answer.message_id, event.sequence > len(answer.payloads)) for answer in group]
    unknown = select(event.message_id, event.payload).where(or_(*after)).order_by(event.message_id, event.sequence)
    return statuses, db.connection().execute(unknown).all()


def _may_have_changed(answer: _RemoteAnswer, notified: set[topics.Topic]) -> bool:
    return not answer.has_ended and (topics.ANSWERS_ENDED in notified or topics.answer(answer.message_id) in notified)
