"""The log of every answer: events in as they happen; written in groups, then handed to whoever follows.

What a reader has seen, the database has: events are published after the write. All running answers share one
transaction per tick; deltas that come within one are joined. An answer's first event and its first words do not wait.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.chat.answer_log import compaction
from app.chat.answer_log.compaction import PAYLOADS, RUNNING
from app.chat.answer_log.log_entries import KEPT, LogEntry, RunningLog, Tail
from app.chat.answer_log.remote_answers import RemoteAnswers
from app.database import models
from app.database.engine import Database
from app.rag import events

log = logging.getLogger(__name__)

TICK_SECONDS = 0.025
# With many answers a tick is longer, this much for each: an event costs its readers the same however long its text is.
_TICK_SECONDS_EACH = 0.0003
# How long to wait before writing is tried again when the disk is full or the database is locked.
_RETRY_SECONDS = 0.5

# Entries that a reader of a stored log has in memory at once.
_PAGE = 200

_UNWRITABLE = "An internal error occurred while this answer was being saved; the text so far was kept."


class AnswerLog:
    """Logs of answers: those that run are in memory and in the database, the others in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._elsewhere = RemoteAnswers(database)
        self._live: dict[str, RunningLog] = {}
        self._dirty: dict[str, RunningLog] = {}
        self._work = asyncio.Event()
        self._urgent = asyncio.Event()

    def open(self, message_id: str, replaces: tuple[str, ...] = ()) -> RunningLog:
        """Begin the log of a new answer, which takes the place of others once it is whole."""
        running = self._live[message_id] = RunningLog(message_id, replaces)
        return running

    def append(self, running: RunningLog, event: events.LoggedEvent) -> None:
        """Hand in an event; it is written with the next group."""
        last = running.pending[-1] if running.pending else None
        if isinstance(event, events.DeltaEvent) and isinstance(last, events.DeltaEvent):
            running.pending[-1] = events.DeltaEvent(last.text + event.text, last.uses + event.uses)
        elif isinstance(event, events.ReasoningEvent) and isinstance(last, events.ReasoningEvent):
            running.pending[-1] = events.ReasoningEvent(last.text + event.text)
        else:
            running.pending.append(event)
        self._dirty[running.message_id] = running
        self._work.set()
        if not running.heard and (isinstance(event, events.DeltaEvent) or not running.started):
            running.heard = isinstance(event, events.DeltaEvent)
            self._urgent.set()

    async def finish(self, running: RunningLog, event: events.LoggedEvent, values: dict[str, Any]) -> None:
        """Hand in the last event with the message's last values, and wait until both are written.

        A log has one last event: a second one (a cancellation while the first is being written) changes nothing.
        """
        if running.final is None:
            running.final = values
            self.append(running, event)
        while not running.closed:
            await running.changed.wait()

    async def run(self) -> None:
        """Write groups for as long as the server runs; one that cannot be written now is tried again."""
        loop = asyncio.get_running_loop()
        while True:
            await self._work.wait()
            self._work.clear()
            self._urgent.clear()
            tick_ends = loop.time() + max(TICK_SECONDS, len(self._live) * _TICK_SECONDS_EACH)
            try:
                await self._flush(list(self._dirty.values()))
            except errors.Unavailable as error:
                if self._database.is_lost:
                    self.abandon()
                    continue
                log.warning("answers are waiting to be written: %s", error.message)
                self._work.set()
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:  # an answer that cannot be written must not take the others with it
                log.exception("a group of answers cannot be written; trying each on its own")
                await self._flush_alone()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(tick_ends):
                    await self._urgent.wait()

    def abandon(self) -> None:
        """Nothing can be written any more: who waits for an answer is told so, instead of waiting for ever."""
        for running in list(self._live.values()):
            self._publish(running, [], gone=True)

    async def _flush_alone(self) -> None:
        for running in list(self._dirty.values()):
            try:
                await self._flush([running])
            except errors.Unavailable:
                self._work.set()
            except Exception:  # this is the one: it ends here, with what was written of it
                log.exception("answer cannot be written, message=%s", running.message_id)
                running.pending = [events.FailedEvent("INTERNAL", _UNWRITABLE, retryable=True)]
                running.final = {
                    "status": "FAILED",
                    "content": running.tail.content,
                    "failure": asdict(running.pending[0]),
                }
                with suppress(Exception):  # it has been logged; if even this fails, `recover` ends the row later
                    await self._flush([running])
                    continue
                self._publish(running, [], gone=True)

    async def _flush(self, logs: Sequence[RunningLog]) -> None:
        """Write what is pending of these in one transaction; what comes meanwhile is of the next."""
        group = {running: running.take() for running in logs}
        for running in logs:
            self._dirty.pop(running.message_id, None)
        finals = {running: running.final for running in group}
        try:
            there = await self._write(group, finals)  # kill point: journal.taken
        except BaseException:  # a stop too: what was taken out is put back, so that the next group has it
            for running, happened in group.items():
                running.pending[:0] = happened
                self._dirty[running.message_id] = running
            raise
        for running, happened in group.items():  # crash guard: journal.publishing
            gone = running.message_id not in there
            # kill point: journal.committed, journal.ended, again.going
            self._publish(running, [] if gone else happened, gone=gone)

    async def _write(
        self,
        group: Mapping[RunningLog, Sequence[events.LoggedEvent]],
        finals: Mapping[RunningLog, dict[str, Any] | None],
    ) -> set[str]:
        """The ids of the messages that are still there; events of the others are left out."""
        ids = [running.message_id for running in group]
        async with self._database.begin() as db:  # kill point: journal.committing, journal.ending, again.replacing
            # One that was deleted, or ended by somebody else, is not written to any more.
            running_rows = models.Message.status.in_(RUNNING)
            there = set(await db.scalars(select(models.Message.id).where(models.Message.id.in_(ids), running_rows)))
            rows: list[dict[str, Any]] = []
            begun: list[str] = []
            for running, happened in group.items():
                if running.message_id in there:
                    # crash guard: journal.numbering
                    for sequence, event in enumerate(happened, running.tail.length + 1):
                        payload = PAYLOADS.dump_python(event, mode="json")
                        rows.append({"message_id": running.message_id, "sequence": sequence, "payload": payload})
                    final = finals[running]
                    if final is not None:  # crash guard: journal.final
                        await self._update(db, [running.message_id], final)
                    # crash guard: again.whole
                    if final is not None and final["status"] == "COMPLETED" and running.replaces:
                        # kill point: again.final
                        await self._update(db, running.replaces, {"replaced_by": running.message_id})
                    if final is None and not running.started:
                        begun.append(running.message_id)
            if begun:
                await self._update(db, begun, {"status": "STREAMING"})
            if rows:
                await db.execute(insert(models.AnswerEvent), rows)  # kill point: journal.inserting
        return there

    async def _update(self, db: AsyncSession, ids: Sequence[str], values: dict[str, Any]) -> None:
        await db.execute(  # kill point: journal.updating
            update(models.Message)
            .where(models.Message.id.in_(ids))
            .values(**values)
            .execution_options(synchronize_session=False)
        )

    def _publish(self, running: RunningLog, happened: Sequence[events.LoggedEvent], *, gone: bool) -> None:
        running.started = True
        running.gone = gone
        for event in happened:
            running.tail.add(event)
        if running.closed:
            self._live.pop(running.message_id, None)
            self._dirty.pop(running.message_id, None)
        running.wake()

    async def follow(self, message_id: str, after: int = 0) -> AsyncGenerator[LogEntry]:
        """Entries after `after`: those written, then those to come, to the last one. Any number may follow."""
        running = self._live.get(message_id)
        seen = max(0, after)
        while running is not None and not running.gone:
            changed = running.changed
            if seen < running.tail.dropped:
                async with aclosing(self._replay(message_id, Tail(KEPT), seen)) as entries:
                    async for entry in entries:
                        seen = entry.sequence
                        yield entry
                continue
            fresh = running.tail.after(seen)
            for entry in fresh:
                seen = entry.sequence
                yield entry
            if running.closed and not running.gone and not fresh:
                return
            if not fresh and changed is running.changed:
                await changed.wait()
        # Of one that was ended elsewhere the database has the end.
        async for entry in self._follow_stored(message_id, seen):
            yield entry

    async def _follow_stored(self, message_id: str, after: int) -> AsyncGenerator[LogEntry]:
        """The log of an answer that ended, or that another process is writing."""
        tail = Tail(KEPT)
        async with self._database.read() as db:
            status = await db.scalar(select(models.Message.status).where(models.Message.id == message_id))
        if status in RUNNING:
            async with aclosing(self._elsewhere.follow(message_id)) as groups:
                async for payloads in groups:
                    for payload in payloads:
                        entry = tail.add(PAYLOADS.validate_python(payload))
                        if entry.sequence > after:
                            yield entry
        async with aclosing(self._replay(message_id, tail, after)) as entries:
            async for entry in entries:
                yield entry

    async def _replay(self, message_id: str, tail: Tail, after: int) -> AsyncGenerator[LogEntry]:
        """What the database has beyond `tail`, a page at a time; told are the entries after `after`.

        However slow its reader is, it holds no transaction, and never the whole log.
        """
        while True:
            async with self._database.read() as db:
                page = await compaction.read(db, message_id, tail.length, _PAGE)
            for _, event in page:
                entry = tail.add(event)
                if entry.sequence > after:
                    yield entry
            if len(page) < _PAGE:
                return

    def running(self) -> list[str]:
        """The ids of the answers whose logs are open here."""
        return list(self._live)

    async def content(self, message_id: str) -> str:
        """The text so far of an answer that is not final."""
        running = self._live.get(message_id)
        if running is not None:
            return running.tail.content
        return (await self.stored(message_id)).content

    async def stored(self, message_id: str) -> Tail:
        """All entries that the database has."""
        tail = Tail()
        async with self._database.read() as db:
            for sequence, event in await compaction.read(db, message_id):
                entry = tail.add(event)
                tail.gapless = tail.gapless and entry.sequence == sequence
        return tail
