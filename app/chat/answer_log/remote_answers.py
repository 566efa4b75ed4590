"""Follow answers that other processes are giving.

One pair of queries per look serves every reader of this process, however many follow however many answers.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.chat.answer_log.compaction import RUNNING
from app.database import models
from app.database.engine import Database

_LOOK_SECONDS = 0.1
# Answers per query: the database bounds how long a condition may be.
_AT_ONCE = 200


@dataclass(eq=False)
class _Followed:
    """An answer of another process: its events so far, and whether more may come."""

    message_id: str
    payloads: list[Any] = field(default_factory=list[Any])
    readers: int = 0
    over: bool = False
    failure: Exception | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """Let all readers look again."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()


class RemoteAnswers:
    """Follows through the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._followed: dict[str, _Followed] = {}
        self._looking: asyncio.Task[None] | None = None

    async def follow(self, message_id: str) -> AsyncGenerator[Sequence[Any]]:
        """The payloads of an answer's events: those written, then those to come, to its end."""
        followed = self._followed.get(message_id)
        if followed is None:
            followed = _Followed(message_id)
            await self._look([followed])
            if followed.over:
                yield followed.payloads
                return
            # Somebody else may have come meanwhile.
            followed = self._followed.setdefault(message_id, followed)
        followed.readers += 1
        try:
            async with aclosing(self._told(followed)) as told:
                async for payloads in told:
                    yield payloads
        finally:
            followed.readers -= 1
            if not followed.readers and self._followed.get(message_id) is followed:
                del self._followed[message_id]

    async def _told(self, followed: _Followed) -> AsyncGenerator[Sequence[Any]]:
        if self._looking is None:
            self._looking = asyncio.create_task(self._keep_looking())
        seen = 0
        while True:
            changed = followed.changed
            fresh = followed.payloads[seen:]
            seen += len(fresh)
            if fresh:
                yield fresh
            if followed.failure is not None:
                raise followed.failure
            if followed.over and seen == len(followed.payloads):
                return
            if changed is followed.changed:
                await changed.wait()

    async def _keep_looking(self) -> None:
        """Until nobody follows; what goes wrong is told to all who do, for nobody else would see it."""
        try:
            while self._followed:
                await asyncio.sleep(_LOOK_SECONDS)
                running = [followed for followed in self._followed.values() if not followed.over]
                for start in range(0, len(running), _AT_ONCE):
                    await self._look(running[start : start + _AT_ONCE])
        except Exception as error:  # raised again by each reader
            for followed in self._followed.values():
                followed.failure = error
                followed.wake()
            self._followed.clear()
        finally:
            self._looking = None

    async def _look(self, group: Sequence[_Followed]) -> None:
        async with self._database.read() as db:
            statuses = await self._statuses(db, [followed.message_id for followed in group])
            event = models.AnswerEvent
            after = [
                and_(event.message_id == followed.message_id, event.sequence > len(followed.payloads))
                for followed in group
            ]
            order = (event.message_id, event.sequence)
            rows = (await db.execute(select(event.message_id, event.payload).where(or_(*after)).order_by(*order))).all()
        fresh: dict[str, list[Any]] = {}
        for message_id, payload in rows:
            fresh.setdefault(message_id, []).append(payload)
        for followed in group:
            followed.payloads += fresh.get(followed.message_id, [])
            followed.over = statuses.get(followed.message_id) not in RUNNING
            if followed.over or followed.message_id in fresh:
                followed.wake()

    async def _statuses(self, db: AsyncSession, ids: Sequence[str]) -> dict[str, str]:
        message = models.Message
        rows = await db.execute(select(message.id, message.status).where(message.id.in_(ids)))
        return {row.id: row.status for row in rows}
