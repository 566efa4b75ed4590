"""Add documents: those that arrive while the database is being written are added together, in one transaction."""

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
from app.knowledge.notifications import notify_documents, version_started, waking_workers
from app.knowledge.storage_limits import StorageLimits, StoredBytes
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.notifier.protocol import Notifier

# What one transaction adds at most, unless a single caller adds more.
_MAX_AT_ONCE = 256
_MAX_BYTES = 4_000_000
# While several callers add at once, as many as last time get this long to come back: a commit costs more than several
# documents.
_GATHER_SECONDS = 0.004


@dataclass(eq=False, slots=True)
class _AddCall:
    additions: Sequence[Addition]
    outcomes: asyncio.Future[list[Outcome]]


class DocumentAdder:
    """Adds documents, several callers' at a time."""

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
        """Check a new document. Raises Invalid for a value out of bounds and for a file that cannot be read.

        That is one that is empty, too large, or in a format that nobody needs to open to know that it is not supported.
        """
        uploads.check_new_document(new)
        digest = partial(uploads.check_content, file, self._max_bytes, new)
        is_small = isinstance(file, io.BytesIO) and file.getbuffer().nbytes <= uploads.PIECE_BYTES // 10
        return Addition(project_id, new, digest() if is_small else await asyncio.to_thread(digest), file)

    async def add(self, additions: Sequence[Addition]) -> list[Outcome]:
        """Store and queue documents, all in one transaction; returns what became of each.

        The errors are NotFound for the project, Conflict for a key, Invalid without room for it, and Unavailable while
        too many documents are waiting. Raises Unavailable when the database cannot be written.
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
        """Wait until as many call as last time, or not for much longer."""
        if len(self._calls) >= self._last_callers:
            return
        self._all_are_back.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GATHER_SECONDS):
                await self._all_are_back.wait()

    def _next_calls(self) -> list[_AddCall]:
        """The calls that are written together."""
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
        """Add the documents of calls whose callers still wait; returns False if each should be tried alone.

        One of several calls may be at fault for an error; not for a database that cannot be written, which would keep
        all waiting again and again.
        """
        calls = [call for call in calls if not call.outcomes.done()]
        additions = [addition for call in calls for addition in call.additions]
        try:
            with waking_workers(self._notifier):
                outcomes = await self._database.run_write(partial(self._add_all, additions), *_locks(additions))
        except asyncio.CancelledError:  # the server stops
            for call in calls:
                call.outcomes.cancel()
            raise
        except Exception as error:  # whatever it is: the callers wait for it
            if len(calls) > 1 and not isinstance(error, errors.Unavailable):
                return False
            _fail_calls(calls, error)
            del calls  # no cycle, see app/errors
            return True
        place = iter(outcomes)
        for call in calls:  # kill point: add.committed
            of_call = [next(place) for _ in call.additions]
            if not call.outcomes.done():
                call.outcomes.set_result(of_call)
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
            # The next group may change the same documents again; the rows of this one tell what it did.
            db.expunge_all()
            outcomes += found
            started += [document for document, _ in changes.started]
        return outcomes  # kill point: add.committing, add.replacing

    def _decide(
        self, additions: Sequence[Addition], counts: QueueCounts, stored: StoredBytes, db: Session
    ) -> tuple[list[Outcome], AdditionChanges]:
        """What becomes of additions of which no two have the same source, key or place."""
        known, changes = find_known_rows(db, additions), AdditionChanges()
        take_place = partial(self._queue_limits.take_place, counts)
        take_room = partial(self._storage_limits.take_room, stored)
        outcomes: list[Outcome] = []
        for addition in additions:
            try:
                outcomes.append(decide_addition(addition, known, changes, take_place, take_room))
            except errors.FootnoteError as error:
                outcomes.append(error.with_traceback(None))  # no cycle, see app/errors
        return outcomes, changes

    def _notify(self, outcomes: Sequence[Outcome]) -> None:
        changed = [one[0] for one in outcomes if not isinstance(one, errors.FootnoteError) and not one[1]]
        if changed:
            self._notifier.notify(topics.INGESTION_QUEUE)
        notify_documents(self._notifier, changed)


def _locks(additions: Sequence[Addition]) -> list[AnyLock]:
    """In an order that is the same for all, so that no two wait for each other."""
    projects = sorted({addition.project_id for addition in additions})
    return [*(ProjectLock(Lock.DOCUMENTS, project_id) for project_id in projects), Lock.INGESTION_QUEUE]


def _fail_calls(calls: Sequence[_AddCall], error: Exception) -> None:
    """Give an error to all callers that still wait. Only one that is not ours needs its traceback, for the log."""
    for call in calls:
        if not call.outcomes.done():
            call.outcomes.set_exception(
                error.with_traceback(None) if isinstance(error, errors.FootnoteError) else error
            )
