"""Add documents: those that arrive while the database is being written are added together, in one transaction."""

import asyncio
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO

from sqlalchemy import bindparam, delete, func, insert, inspect, or_, select
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge import originals, uploads, versions
from app.knowledge.ingestion.queue_limits import QueueCounts, QueueLimits
from app.knowledge.notifications import notify_documents
from app.knowledge.uploads import ContentDigest, NewDocument
from app.notifier import topics
from app.notifier.protocol import Notifier

# What one transaction adds at most, unless a single caller adds more.
_MAX_AT_ONCE = 256
_MAX_BYTES = 4_000_000

AddedDocument = tuple[models.Document, bool]
"""The row, and whether it existed unchanged (then nothing was done)."""
Outcome = AddedDocument | errors.FootnoteError

_COLUMNS = [(column.key, column.columns[0].name) for column in inspect(models.Document).column_attrs]
_INSERT_DOCUMENTS = insert(models.Document)
_INSERT_ORIGINALS, _INSERT_KEYS = insert(models.Original), insert(models.DocumentKey)
_SELECT_PROJECTS = select(models.Project.id).where(models.Project.id.in_(bindparam("ids", expanding=True)))
_SELECT_KEYS = select(models.DocumentKey).where(
    models.DocumentKey.project_id.in_(bindparam("projects", expanding=True)),
    models.DocumentKey.key.in_(bindparam("keys", expanding=True)),
)
_SELECT_KNOWN = select(models.Document).where(
    or_(
        models.Document.id.in_(bindparam("ids", expanding=True)),
        models.Document.project_id.in_(bindparam("projects", expanding=True))
        & models.Document.source.in_(bindparam("sources", expanding=True)),
    )
)
_SEARCHED_VERSION = (
    select(models.Chunk.version).where(models.Chunk.document_id == bindparam("document")).limit(1).scalar_subquery()
)
# Repeated failures would otherwise accumulate.
_DELETE_STALE_ORIGINALS = delete(models.Original).where(
    models.Original.document_id == bindparam("document"), models.Original.version != func.coalesce(_SEARCHED_VERSION, 0)
)


@dataclass(frozen=True, slots=True)
class Addition:
    """A document to add, with the size and checksum of its bytes."""

    project_id: str
    new: NewDocument
    content: ContentDigest
    file: BinaryIO

    @property
    def names(self) -> Iterator[tuple[str, str, str]]:
        """What identifies it in its project: two of one transaction with the same have to be added in order."""
        if self.new.source is not None:
            yield self.project_id, "source", self.new.source
        if self.new.idempotency_key is not None:
            yield self.project_id, "key", self.new.idempotency_key


@dataclass(eq=False, slots=True)
class _AddCall:
    additions: Sequence[Addition]
    outcomes: asyncio.Future[list[Outcome]]


@dataclass(slots=True)
class _Known:
    """What the database already has of some additions, by project and name."""

    projects: set[str]
    keys: dict[tuple[str, str], tuple[models.DocumentKey, models.Document]]
    sources: dict[tuple[str, str | None], models.Document]


@dataclass(slots=True)
class _Changes:
    """What a group of additions writes."""

    started: list[tuple[models.Document, Addition]] = field(default_factory=list[tuple[models.Document, Addition]])
    keys: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    def record_key(self, document: models.Document, addition: Addition) -> None:
        """Remember which document was added under a key."""
        if (key := addition.new.idempotency_key) is not None:
            given = uploads.fingerprint(addition.new, addition.content)
            values = {"project_id": addition.project_id, "key": key, "document_id": document.id, "sha256": given}
            self.keys.append(values)


class DocumentAdder:
    """Adds documents, several callers' at a time."""

    def __init__(self, database: Database, notifier: Notifier, queue_limits: QueueLimits, max_bytes: int) -> None:
        self._database = database
        self._notifier = notifier
        self._queue_limits = queue_limits
        self._max_bytes = max_bytes
        self._calls: list[_AddCall] = []
        self._writing: asyncio.Task[None] | None = None

    async def read_addition(self, project_id: str, new: NewDocument, file: BinaryIO) -> Addition:
        """Check a new document. Raises Invalid for an empty or oversized file or a value out of bounds."""
        uploads.check_new_document(new)
        digest = partial(uploads.digest_content, file, self._max_bytes)
        is_small = isinstance(file, io.BytesIO) and file.getbuffer().nbytes <= uploads.PIECE_BYTES // 10
        return Addition(project_id, new, digest() if is_small else await asyncio.to_thread(digest), file)

    async def add(self, additions: Sequence[Addition]) -> list[Outcome]:
        """Store and queue documents, all in one transaction; returns what became of each.

        The errors are NotFound for the project, Conflict for a key, and Unavailable while too many documents are
        waiting. Raises Unavailable when the database cannot be written.
        """
        call = _AddCall(additions, asyncio.get_running_loop().create_future())
        self._calls.append(call)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_calls())
        return await call.outcomes

    async def _write_calls(self) -> None:
        try:
            while self._calls:
                calls = self._next_calls()
                if not await self._write(calls):
                    for call in calls:
                        await self._write([call])
        finally:
            self._writing = None
            for call in self._calls:
                call.outcomes.cancel()

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
            outcomes = await self._database.run_write(partial(self._add_all, additions), Lock.DOCUMENTS)
        except asyncio.CancelledError:  # the server stops
            for call in calls:
                call.outcomes.cancel()
            raise
        except Exception as error:  # whatever it is: the callers wait for it
            if len(calls) > 1 and not isinstance(error, errors.Unavailable):
                return False
            for call in calls:
                if not call.outcomes.done():
                    call.outcomes.set_exception(error)
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
        for group in _without_repetitions(additions):
            found, changes = self._decide(group, counts, db)
            _write_changes(db, changes)
            db.flush()
            # The next group may change the same documents again; the rows of this one tell what it did.
            db.expunge_all()
            outcomes += found
            started += [document for document, _ in changes.started]
        return outcomes  # kill point: add.committing, add.replacing

    def _decide(
        self, additions: Sequence[Addition], counts: QueueCounts, db: Session
    ) -> tuple[list[Outcome], _Changes]:
        """What becomes of additions of which no two have the same source or key."""
        known, changes = _find_known(db, additions), _Changes()
        outcomes: list[Outcome] = []
        for addition in additions:
            try:
                outcomes.append(_decide_one(addition, known, changes, partial(self._queue_limits.take_place, counts)))
            except errors.FootnoteError as error:
                outcomes.append(error)
        return outcomes, changes

    def _notify(self, outcomes: Sequence[Outcome]) -> None:
        changed = [one[0] for one in outcomes if not isinstance(one, errors.FootnoteError) and not one[1]]
        if changed:
            self._notifier.notify(topics.INGESTION_QUEUE)
        notify_documents(self._notifier, changed)


def _decide_one(addition: Addition, known: _Known, changes: _Changes, take_place: Callable[[str], None]) -> Outcome:
    """Raises NotFound, Conflict or Unavailable."""
    project_id, new, content = addition.project_id, addition.new, addition.content
    if project_id not in known.projects:
        raise errors.NotFound("project", project_id)
    if used := known.keys.get((project_id, new.idempotency_key or "")):
        key, document = used
        # Earlier versions of Footnote stored the checksum of the content alone.
        if key.sha256 not in (uploads.fingerprint(new, content), content.sha256) or document.source != new.source:
            raise errors.Conflict("This idempotency key was already used for another document.", document)
        return document, True
    document = known.sources.get((project_id, new.source)) if new.source is not None else None
    if document is not None and versions.is_unchanged(document, content):
        changes.record_key(document, addition)
        return document, True
    take_place(project_id)
    if document is None:
        moment = models.now()
        document = models.Document(
            id=models.new_id(),
            project_id=project_id,
            source=new.source,
            created_at=moment,
            updated_at=moment,
            version=0,
        )
    versions.start_version(document, new, content)
    changes.record_key(document, addition)
    changes.started.append((document, addition))
    return document, False


def _without_repetitions(additions: Sequence[Addition]) -> Iterator[list[Addition]]:
    """The additions in order, in groups of which no two have the same source or key."""
    group: list[Addition] = []
    names = set[tuple[str, str, str]]()
    for addition in additions:
        own = set(addition.names)
        if own & names:
            yield group
            group, names = [], set[tuple[str, str, str]]()
        group.append(addition)
        names |= own
    yield group


def _find_known(db: Session, additions: Sequence[Addition]) -> _Known:
    projects = list({addition.project_id for addition in additions})
    known = _Known(set(db.connection().execute(_SELECT_PROJECTS, {"ids": projects}).scalars()), {}, {})
    wanted = [key for addition in additions if (key := addition.new.idempotency_key) is not None]
    sources = [source for addition in additions if (source := addition.new.source) is not None]
    keys = db.scalars(_SELECT_KEYS, {"projects": projects, "keys": wanted}).all() if wanted else ()
    if keys or sources:
        ids = [key.document_id for key in keys]
        documents = db.scalars(_SELECT_KNOWN, {"ids": ids, "projects": projects, "sources": sources}).all()
        by_id = {document.id: document for document in documents}
        known.keys = {(key.project_id, key.key): (key, by_id[key.document_id]) for key in keys}
        known.sources = {(document.project_id, document.source): document for document in documents}
    return known


def _write_changes(db: Session, changes: _Changes) -> None:
    db.flush()  # the rows of documents that were there before
    connection = db.connection()
    if inserted := [_row_values(document) for document, _ in changes.started if document.version == 1]:
        connection.execute(_INSERT_DOCUMENTS, inserted)
    if replaced := [{"document": document.id} for document, _ in changes.started if document.version > 1]:
        connection.execute(_DELETE_STALE_ORIGINALS, replaced)
    small: list[dict[str, Any]] = []
    for document, addition in changes.started:
        pieces = originals.piece_values(document, addition.file)
        if addition.content.size <= uploads.PIECE_BYTES:
            small += pieces
            continue
        for piece in pieces:  # one at a time: a large file may not fit into memory
            connection.execute(_INSERT_ORIGINALS, piece)
    if small:
        connection.execute(_INSERT_ORIGINALS, small)  # crash guard: add.original
    if changes.keys:
        connection.execute(_INSERT_KEYS, changes.keys)


def _row_values(document: models.Document) -> dict[str, Any]:
    return {column: getattr(document, attribute) for attribute, column in _COLUMNS}
