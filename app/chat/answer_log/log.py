"""The answer log: collects the events of answers, writes them in groups, then passes them on to readers.

Readers only see what is in the database: events are published after they are written. All running answers share one
transaction per tick, and deltas within a tick are merged. An answer's first event, its first text and its end do not
wait for the tick.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any

from sqlalchemy import select

from app import errors, global_ids
from app.chat.answer_log import compaction
from app.chat.answer_log.compaction import PAYLOADS
from app.chat.answer_log.ending import end_answer
from app.chat.answer_log.group_writes import find_locks, write_group
from app.chat.answer_log.log_entries import KEPT_ENTRIES, LogEntry, LogTail, RunningLog
from app.chat.answer_log.remote_answers import RemoteAnswers
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.events.outbox import Outbox
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.observation.observer import AnswerLogWrite, Observer
from app.observation.outages import OutageLog
from app.rag import events
from app.statuses import RUNNING, MessageStatus

log = logging.getLogger(__name__)

TICK_SECONDS = 0.025
# A tick grows with the number of answers: an event costs its readers the same however long its text is. It is shorter
# than the time between the two halves of streams that are read (see `reading_ticks`), each of which is written at once.
_TICK_SECONDS_EACH = 0.00012
# Deltas that were read together take up to two iterations of the event loop to arrive here.
_ARRIVAL_ITERATIONS = 5
# How long to wait before writing again when the disk is full or the database is locked.
_RETRY_SECONDS = 0.5

# How many entries a reader of a stored log holds in memory at once.
_PAGE = 200

_UNWRITABLE = "An internal error occurred while this answer was being saved; the text so far was kept."


class AnswerLog:
    """The logs of all answers: in the database, and for running answers also in memory."""

    def __init__(self, database: Database, notifier: Notifier, outbox: Outbox, observer: Observer) -> None:
        self._database = database
        self._outbox = outbox
        self._notifier = notifier
        self._remote = RemoteAnswers(database, notifier)
        self._live: dict[str, RunningLog] = {}
        self._dirty: dict[str, RunningLog] = {}
        self._work = asyncio.Event()
        self._urgent = asyncio.Event()
        self._observer = observer
        self._oldest_pending = 0.0
        self.outages = OutageLog(log, "answers are waiting to be written", "answers are written again")

    def open_log(self, message_id: str, *, replaces: bool) -> RunningLog:
        """Open the log of a new answer; `replaces` if it is to become the current one once it is complete."""
        running = self._live[message_id] = RunningLog(message_id, replaces)
        return running

    def append_event(self, running: RunningLog, event: events.LoggedEvent) -> None:
        """Append an event; it is written with the next group."""
        last = running.open_event
        if isinstance(event, events.DeltaEvent) and isinstance(last, events.DeltaEvent):
            running.pending[-1] = events.DeltaEvent(last.text + event.text, last.uses + event.uses)
        elif isinstance(event, events.ReasoningEvent) and isinstance(last, events.ReasoningEvent):
            running.pending[-1] = events.ReasoningEvent(last.text + event.text)
        else:
            running.pending.append(event)
        if not self._dirty:
            self._oldest_pending = time.monotonic()
        self._dirty[running.message_id] = running
        self._work.set()
        is_first_text = isinstance(event, events.DeltaEvent) and not running.has_first_text
        if is_first_text or not running.has_first_event or running.final is not None:
            running.has_first_event, running.has_first_text = True, running.has_first_text or is_first_text
            self._urgent.set()

    def end_log(self, running: RunningLog, event: events.LoggedEvent, values: dict[str, Any]) -> None:
        """Append the last event with the message's final values; both are written with the next group.

        A log has one last event: a second one, such as a cancellation during the final write, changes nothing.
        """
        if running.final is None:
            running.final = values
            self.append_event(running, event)

    async def finish_log(self, running: RunningLog, event: events.LoggedEvent, values: dict[str, Any]) -> None:
        """Like `end_log`, but wait until both are written."""
        self.end_log(running, event, values)
        while not running.is_closed:
            await running.readers.wait()

    async def write_groups(self) -> None:
        """Write groups for as long as the server runs. A group that cannot be written is tried again."""
        loop = asyncio.get_running_loop()
        if self._dirty:  # after a restart
            self._work.set()
        while True:
            await self._work.wait()
            await self._wait_for_arrivals()
            self._work.clear()
            self._urgent.clear()
            tick_ends = loop.time() + max(TICK_SECONDS, len(self._live) * _TICK_SECONDS_EACH)
            try:
                await self._flush_group(list(self._dirty.values()))
                self.outages.report_success()
            except errors.Unavailable as error:
                if self._database.is_lost:
                    self.abandon_logs()
                    continue
                self.outages.report_failure(error)
                self._work.set()
                await asyncio.sleep(_RETRY_SECONDS)
            except Exception:  # one answer that cannot be written must not affect the others
                log.exception("a group of answers cannot be written; trying each on its own")
                await self._flush_alone()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(tick_ends):
                    await self._urgent.wait()

    async def _wait_for_arrivals(self) -> None:
        """Wait until an iteration of the event loop has passed in which no other answer got an event.

        If a group were taken earlier, the rest of the deltas that were read together would wait for a whole tick.
        """
        for _ in range(_ARRIVAL_ITERATIONS):
            count = len(self._dirty)
            await asyncio.sleep(0)
            if len(self._dirty) == count:
                return

    def abandon_logs(self) -> None:
        """End all logs without a last event, because nothing can be written any more; their readers stop waiting."""
        for running in list(self._live.values()):
            self._publish_events(running, [], gone=True)

    async def _flush_alone(self) -> None:
        for running in list(self._dirty.values()):
            try:
                await self._flush_group([running])
            except errors.Unavailable:
                self._work.set()
            except Exception:  # this is the one that fails: it ends with the text written so far
                log.exception(
                    "answer cannot be written, message_id=%s", global_ids.encode("Message", running.message_id)
                )
                failed = events.FailedEvent("INTERNAL", _UNWRITABLE, retryable=True)
                write = partial(
                    end_answer,
                    message_id=running.message_id,
                    last=failed,
                    status=MessageStatus.FAILED,
                    outbox=self._outbox,
                )
                with suppress(Exception):  # already logged; if this fails too, `interrupt_abandoned` ends the row later
                    await self._database.run_write(write, Lock.ANSWER_LOGS)
                self._publish_events(running, [], gone=True)

    async def _flush_group(self, logs: Sequence[RunningLog]) -> None:
        """Write the pending events of these logs in one transaction; events that arrive meanwhile go into the next."""
        group = {running: running.take_pending() for running in logs}
        oldest = self._oldest_pending
        for running in logs:
            self._dirty.pop(running.message_id, None)
        finals = {running: running.final for running in group}
        try:
            # kill point: journal.taken
            still_running = await self._database.run_write(
                partial(write_group, group, finals, self._outbox), *find_locks(finals), brief=True
            )
        except BaseException:  # even when stopping: put back what was taken, so that the next group writes it
            for running in group:
                running.put_back()
                self._dirty[running.message_id] = running
            raise
        for running, new_events in group.items():  # crash guard: journal.publishing
            gone = running.message_id not in still_running
            # kill point: journal.committed, journal.ended, again.going
            self._publish_events(running, [] if gone else new_events, gone=gone)
        waited_ms = (time.monotonic() - oldest) * 1000
        self._observer.observe(AnswerLogWrite(len(group), sum(map(len, group.values())), waited_ms))

    def _publish_events(self, running: RunningLog, new_events: Sequence[events.LoggedEvent], *, gone: bool) -> None:
        running.is_started = True
        running.possibly_stored, running.being_written = 0, []
        running.gone = gone
        for event in new_events:
            running.tail.add_event(event)
        if running.is_closed:
            self._live.pop(running.message_id, None)
            self._dirty.pop(running.message_id, None)
        running.readers.wake()
        self._notifier.notify(topics.ANSWERS_ENDED if gone else topics.answer(running.message_id))

    async def follow_answer(self, message_id: str, after: int = 0) -> AsyncGenerator[LogEntry]:
        """Yield the entries after `after`: those already written, then new ones until the last.

        Raises NotFound once the answer is deleted.
        """
        running = self._live.get(message_id)
        seen = max(0, after)
        while running is not None and not running.gone:
            if seen < running.tail.dropped:
                async with aclosing(self._replay_log(message_id, running.tail.begin_after(seen), seen)) as entries:
                    async for entry in entries:
                        seen = entry.sequence
                        yield entry
                continue
            fresh = running.tail.entries_after(seen)
            for entry in fresh:
                seen = entry.sequence
                yield entry
            if running.is_closed and not running.gone and not fresh:
                return
            if not fresh:
                await running.readers.wait()
        # If another process ended it, the end is in the database.
        async for entry in self._follow_stored(message_id, seen):
            yield entry

    async def _follow_stored(self, message_id: str, after: int) -> AsyncGenerator[LogEntry]:
        """The log of an answer that ended, or that another process is writing."""
        tail = LogTail(KEPT_ENTRIES)
        if await self._read_status(message_id) in RUNNING:
            async with aclosing(self._remote.follow(message_id)) as groups:
                async for payloads in groups:
                    for payload in payloads:
                        entry = tail.add_event(PAYLOADS.validate_python(payload))
                        if entry.sequence > after:
                            yield entry
        async with aclosing(self._replay_log(message_id, tail, after)) as entries:
            async for entry in entries:
                yield entry
        if not (tail.entries and tail.entries[-1].is_last) and await self._read_status(message_id) is None:
            raise errors.NotFound("message", message_id)

    async def _read_status(self, message_id: str) -> MessageStatus | None:
        """The status of a message; None if there is no such message."""
        of_message = select(models.Message.status).where(models.Message.id == message_id)
        return await self._database.run_read(lambda db: db.scalar(of_message))

    async def _replay_log(self, message_id: str, tail: LogTail, after: int) -> AsyncGenerator[LogEntry]:
        """Append the entries in the database that follow `tail`, page by page, and yield those after `after`.

        Holds no transaction and never the whole log, however slow its reader is.
        """
        while True:
            read = partial(compaction.read_log, message_id=message_id, after=tail.length, limit=_PAGE)
            page = await self._database.run_read(read)
            for _, event in page:
                entry = tail.add_event(event)
                if entry.sequence > after:
                    yield entry
            if len(page) < _PAGE:
                return

    def running_ids(self) -> list[str]:
        """The ids of the answers whose logs are open here."""
        return list(self._live)

    async def text_so_far(self, message_id: str) -> str:
        """The text so far of an unfinished answer."""
        running = self._live.get(message_id)
        if running is not None:
            return running.tail.content
        return (await self.read_stored_log(message_id)).content

    async def read_stored_log(self, message_id: str) -> LogTail:
        """All entries in the database."""
        tail = LogTail()
        for sequence, event in await self._database.run_read(partial(compaction.read_log, message_id=message_id)):
            entry = tail.add_event(event)
            tail.is_gapless = tail.is_gapless and entry.sequence == sequence
        return tail
