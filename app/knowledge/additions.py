"""Add documents: those that arrive while a transaction is running are added together in the next one."""

import asyncio
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.locks import AnyLock, Lock, ProjectLock
from app.database.protocol import Database
from app.events.outbox import Outbox
from app.knowledge import uploads
from app.knowledge.addition_rows import (
    Addition,
    AdditionChanges,
    Outcome,
    decide_addition,
    find_known_rows,
    split_repetitions,
    write_changes,
)
from app.knowledge.ingestion.queue_limits import QueueCounts, QueueLimits
from app.knowledge.notifications import notify_documents, version_started, wake_workers_on_failure
from app.knowledge.storage_limits import StorageLimits, StoredBytes
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.notifier.protocol import Notifier

# The most that one transaction adds, unless a single caller adds more.
_MAX_AT_ONCE = 256
_MAX_BYTES = 4_000_000
# With several concurrent callers, wait this long for as many as last time: a commit costs more than several documents.
_GATHER_SECONDS = 0.004


@dataclass(eq=False, slots=True)
class _AddCall:
    additions: Sequence[Addition]
    outcomes: asyncio.Future[list[Outcome]]


class DocumentAdder:
    """Adds documents, batching those of concurrent callers."""

    def __init__(
        self,
        database: Database,
        notifier: Notifier,
        outbox: Outbox,
        queue_limits: QueueLimits,
        storage_limits: StorageLimits,
        max_bytes: int,
    ) -> None:
        self._database = database
        self._notifier = notifier
        self._outbox = outbox
        self._queue_limits = queue_limits
        self._storage_limits = storage_limits
        self._max_bytes = max_bytes
        self._calls: list[_AddCall] = []
        self._writing: asyncio.Task[None] | None = None
        self._last_callers = 0
        self._all_are_back = asyncio.Event()

    async def read_addition(self, project_id: str, new: NewDocument, file: BinaryIO) -> Addition:
        """Check and hash a new document. Raises Invalid for an invalid value, or a file that cannot be accepted.

        Such a file is empty, too large, or recognizably in a format that is not supported.
        """
        uploads.check_new_document(new)
        digest = partial(uploads.check_content, file, self._max_bytes, new)
        is_small = isinstance(file, io.BytesIO) and file.getbuffer().nbytes <= uploads.PIECE_BYTES // 10
        return Addition(project_id, new, digest() if is_small else await asyncio.to_thread(digest), file)

    async def add(self, additions: Sequence[Addition]) -> list[Outcome]:
        """Store and queue documents, all in one transaction; returns a row or an error for each.

        The errors are NotFound for the project, Conflict for an idempotency key, Invalid if the storage is full, and
        Unavailable while too many documents are waiting. Raises Unavailable when the database cannot be written.
        """
        call = _AddCall(additions, asyncio.get_running_loop().create_future())
        self._calls.append(call)
        if len(self._calls) >= self._last_callers:
            self._all_are_back.set()
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_calls())
        try:
            return await call.outcomes
        finally:
            del call  # no cycle, see app/errors

    async def _write_calls(self) -> None:
        try:
            while self._calls:
                await self._gather()
                calls = self._next_calls()
                self._last_callers = len(calls)
                if not await self._write(calls):
                    for call in calls:
                        await self._write([call])
        finally:
            self._writing = None
            for call in self._calls:
                call.outcomes.cancel()

    async def _gather(self) -> None:
        """Wait briefly until there are as many callers as last time."""
        if len(self._calls) >= self._last_callers:
            return
        self._all_are_back.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GATHER_SECONDS):
                await self._all_are_back.wait()

    def _next_calls(self) -> list[_AddCall]:
        """Take the calls for the next transaction."""
        calls: list[_AddCall] = []
        documents = size = 0
        while self._calls:
            call = self._calls[0]
            documents += len(call.additions)
            size += sum(addition.content.size for addition in call.additions)
            if calls and (documents > _MAX_AT_ONCE or size > _MAX_BYTES):
                break
            calls.append(self._calls.pop(0))
        return calls

    async def _write(self, calls: Sequence[_AddCall]) -> bool:
        """Add the documents of calls that are still waiting; returns False if each call should be retried alone.

        One of several calls may have caused an error. But if the database cannot be written, retrying each would only
        keep all of them waiting.
        """
        calls = [call for call in calls if not call.outcomes.done()]
        additions = [addition for call in calls for addition in call.additions]
        try:
            with wake_workers_on_failure(self._notifier):
                outcomes = await self._database.run_write(partial(self._add_all, additions), *_locks(additions))
        except asyncio.CancelledError:  # the server is stopping
            for call in calls:
                call.outcomes.cancel()
            raise
        except Exception as error:  # passed on to the callers
            if len(calls) > 1 and not isinstance(error, errors.Unavailable):
                return False
            _fail_calls(calls, error)
            del calls  # no cycle, see app/errors
            return True
        remaining = iter(outcomes)
        for call in calls:  # kill point: add.committed
            own_outcomes = [next(remaining) for _ in call.additions]
            if not call.outcomes.done():
                call.outcomes.set_result(own_outcomes)
        self._notify(outcomes)
        return True

    def _add_all(self, additions: Sequence[Addition], db: Session) -> list[Outcome]:
        outcomes: list[Outcome] = []
        started: list[models.Document] = []
        counts = QueueCounts.read(db)
        stored = self._storage_limits.read_stored(db, list({addition.project_id for addition in additions}))
        for group in split_repetitions(additions):
            found, changes = self._decide(group, counts, stored, db)
            write_changes(db, changes)
            self._outbox.write_events(db, [version_started(document) for document, _ in changes.started])
            db.flush()
            # The next group may change the same documents; these rows must keep this group's values.
            db.expunge_all()
            outcomes += found
            started += [document for document, _ in changes.started]
        return outcomes  # kill point: add.committing, add.replacing

    def _decide(
        self, additions: Sequence[Addition], counts: QueueCounts, stored: StoredBytes, db: Session
    ) -> tuple[list[Outcome], AdditionChanges]:
        """Decide on additions that share no source, key or place."""
        known, changes = find_known_rows(db, additions), AdditionChanges()
        reserve_slot = partial(self._queue_limits.reserve_slot, counts)
        reserve_bytes = partial(self._storage_limits.reserve_bytes, stored)
        outcomes: list[Outcome] = []
        for addition in additions:
            try:
                outcomes.append(decide_addition(addition, known, changes, reserve_slot, reserve_bytes))
            except errors.FootnoteError as error:
                outcomes.append(error.with_traceback(None))  # no cycle, see app/errors
        return outcomes, changes

    def _notify(self, outcomes: Sequence[Outcome]) -> None:
        added = [outcome for outcome in outcomes if not isinstance(outcome, errors.FootnoteError)]
        changed = [document for document, is_unchanged in added if not is_unchanged]
        if changed:
            self._notifier.notify(topics.INGESTION_QUEUE)
        notify_documents(self._notifier, changed)


def _locks(additions: Sequence[Addition]) -> list[AnyLock]:
    """The locks, always in the same order to avoid deadlocks."""
    projects = sorted({addition.project_id for addition in additions})
    return [*(ProjectLock(Lock.DOCUMENTS, project_id) for project_id in projects), Lock.INGESTION_QUEUE]


def _fail_calls(calls: Sequence[_AddCall], error: Exception) -> None:
    """Pass an error on to all waiting callers. Only unexpected errors need their traceback, for the log."""
    for call in calls:
        if not call.outcomes.done():
            call.outcomes.set_exception(
                error.with_traceback(None) if isinstance(error, errors.FootnoteError) else error
            )
