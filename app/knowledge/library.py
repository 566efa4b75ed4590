"""Add, change, delete and list documents; new ones are queued for ingestion."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session

from app import errors
from app.answer_options.document_filter import DocumentFilter
from app.database import models, pages
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.events.outbox import Outbox
from app.knowledge import originals, uploads, versions
from app.knowledge.addition_rows import AddedDocument, Addition, Outcome
from app.knowledge.additions import DocumentAdder
from app.knowledge.index.protocol import Index
from app.knowledge.ingestion.queue_limits import QueueCounts, QueueLimits
from app.knowledge.notifications import document_deleted, notify_documents, wake_workers_on_failure
from app.knowledge.search.filters import OLDEST_FIRST, LibraryOrder, select_documents
from app.knowledge.spaces import EmbeddingSpaces
from app.knowledge.storage_limits import StorageLimits, read_older_bytes
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.statuses import DocumentStatus

_OF_DOCUMENTS = models.Chunk.document_id.in_(bindparam("ids", expanding=True))
MAX_ADDED_AT_ONCE = 200
"""How many documents can be added at once."""

_SELECT_ORIGINALS = (
    select(models.Original.document_id, models.Original.version, models.Original.data)
    .where(models.Original.document_id.in_(bindparam("ids", expanding=True)))
    .order_by(models.Original.document_id, models.Original.position)
)
_SELECT_CHUNKS = select(models.Chunk.id, func.length(models.Chunk.text)).where(_OF_DOCUMENTS)
_DELETE_CHUNKS = delete(models.Chunk).where(_OF_DOCUMENTS)


@dataclass(frozen=True, slots=True)
class DocumentTotals:
    """A project's totals: `chunks` can be searched; `all_chunks` also counts those that are still being indexed.

    `outdated`: documents that were parsed by earlier parsers.
    """

    documents: int = 0
    bytes: int = 0
    chunks: int = 0
    all_chunks: int = 0
    outdated: int = 0


class Library:
    """The documents of all projects."""

    def __init__(
        self,
        database: Database,
        index: Index,
        spaces: EmbeddingSpaces,
        notifier: Notifier,
        outbox: Outbox,
        *,
        max_bytes: int,
        queue_limits: QueueLimits,
        storage_limits: StorageLimits,
    ) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._notifier = notifier
        self._outbox = outbox
        self._queue_limits = queue_limits
        self.places = originals.OriginalPlaces(database)
        self.rereading = versions.Rereading(database, notifier, queue_limits)
        self._adder = DocumentAdder(database, notifier, outbox, queue_limits, storage_limits, max_bytes)

    async def add_document(self, project_id: str, new: NewDocument, file: BinaryIO) -> AddedDocument:
        """Store a document and queue it; returns the row, and whether it already existed unchanged (nothing is done).

        Adding the same `source` again creates the next version; the old chunks stay searchable until the new ones are
        ready. Raises NotFound for the project; Invalid for an empty or oversized file, full storage, or an invalid
        value; Conflict if its key was used for another document; Unavailable while too many documents are waiting.
        """
        [outcome] = await self._adder.add([await self._adder.read_addition(project_id, new, file)])
        if isinstance(outcome, errors.FootnoteError):
            try:
                raise outcome
            finally:
                del outcome  # no cycle, see app/errors
        return outcome

    async def add_documents(self, project_id: str, news: Sequence[tuple[NewDocument, BinaryIO]]) -> list[Outcome]:
        """Store and queue several documents in one transaction; returns what `add_document` returns or raises for each.

        Raises Unavailable when the database cannot be written.
        """
        outcomes: list[Outcome | None] = []
        additions: list[Addition] = []
        for new, file in news:
            try:
                additions.append(await self._adder.read_addition(project_id, new, file))
                outcomes.append(None)
            except errors.Invalid as error:
                outcomes.append(error)
        added = iter(await self._adder.add(additions) if additions else ())
        return [next(added) if outcome is None else outcome for outcome in outcomes]

    async def update_document(self, document_id: str, changes: dict[str, Any]) -> models.Document:
        """Change `title`, `url` or `metadata`; None resets to the default. Raises NotFound, Invalid or Unavailable.

        The title is part of the searched text, so a new one queues the document again.
        """
        uploads.check_document_changes(changes)
        with wake_workers_on_failure(self._notifier):
            document = await self._database.run_write(partial(self._update_row, document_id, changes), Lock.DOCUMENTS)
        self._notifier.notify(topics.INGESTION_QUEUE)
        notify_documents(self._notifier, [document])
        return document

    def _update_row(self, document_id: str, changes: dict[str, Any], db: Session) -> models.Document:
        document = _get_document(db, document_id)
        if "url" in changes:
            document.url = changes["url"]
        if "metadata" in changes:
            document.document_metadata = changes["metadata"] or {}
        if "title" in changes:
            document.title = versions.choose_title(changes["title"], document.name, document.source)
            document.title_given = changes["title"] is not None
            if document.status == DocumentStatus.READY:
                self._queue_limits.reserve_slot(QueueCounts.read(db), document.project_id)
            if document.status != DocumentStatus.FAILED:
                versions.enqueue(document)
        versions.count_index_change(db, document.project_id, 0)
        return document

    async def retry_document(self, document_id: str) -> models.Document:
        """Queue a failed document again, after the others of its project.

        Raises NotFound, Conflict if it has not failed, or Unavailable while too many documents are waiting.
        """
        with wake_workers_on_failure(self._notifier):
            document = await self._database.run_write(partial(self._requeue_row, document_id), Lock.DOCUMENTS)
        self._notifier.notify(topics.INGESTION_QUEUE)  # kill point: retry.committed
        notify_documents(self._notifier, [document])
        return document

    def _requeue_row(self, document_id: str, db: Session) -> models.Document:
        document = _get_document(db, document_id)
        if document.status != DocumentStatus.FAILED:
            raise errors.Conflict(f"Only a failed document can be retried; this one is {document.status}.", document)
        self._queue_limits.reserve_slot(QueueCounts.read(db), document.project_id)
        versions.enqueue(document)
        db.flush()
        return document  # kill point: retry.committing

    async def delete_document(self, document_id: str, also: Callable[[Session], None] | None = None) -> str:
        """Delete a document with its bytes, chunks and index entries; returns its project id. Raises NotFound.

        `also` is called in the same transaction.
        """

        def write(db: Session) -> models.Document:
            document = self._delete_row(document_id, db)
            if also is not None:
                also(db)
            return document

        document = await self._database.run_write(write, Lock.DOCUMENTS)
        notify_documents(self._notifier, [document])  # kill point: delete.committed
        return document.project_id

    def _delete_row(self, document_id: str, db: Session) -> models.Document:
        document = _get_document(db, document_id)
        removed = document.bytes + sum(read_older_bytes(db, [document.id]).values())
        removed += self.delete_chunks(db, [document])  # crash guard: delete.chunks
        # kill point: delete.forgotten
        versions.count_index_change(db, document.project_id, -removed)
        self._outbox.write_events(db, [document_deleted(document)])
        db.delete(document)  # crash guard: delete.row
        db.flush()
        return document  # kill point: delete.committing

    def delete_chunks(self, db: Session, documents: Sequence[models.Document]) -> int:
        """Remove the chunks of a project's documents from all tables and indexes; returns their total characters."""
        parameters = {"ids": [document.id for document in documents]}
        rows = db.connection().execute(_SELECT_CHUNKS, parameters).all()
        if ids := [row[0] for row in rows]:
            project_id = documents[0].project_id
            self._index.remove_chunks(db, project_id, self._spaces.list_space_keys(db, project_id), ids)
            db.connection().execute(_DELETE_CHUNKS, parameters)
        return sum(row[1] for row in rows)

    async def documents_by_ids(self, ids: Sequence[str]) -> list[models.Document | None]:
        """The documents with these ids, in order; None where there is none."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.Document, ids))

    async def finished_documents(self, ids: Sequence[str]) -> list[models.Document]:
        """The documents among these whose ingestion has ended: READY or FAILED."""
        ended = models.Document.status.in_((DocumentStatus.READY, DocumentStatus.FAILED))
        rows = await self._database.run_read(lambda db: rows_by_ids(db, models.Document, ids, ended))
        return [row for row in rows if row is not None]

    async def read_original(self, document: models.Document) -> bytes:
        """The bytes of a document's current version, as uploaded."""
        return (await self.read_originals([document]))[document.id]

    def stream_original(self, document: models.Document, positions: range) -> AsyncGenerator[bytes]:
        """Stream a range of this version's bytes; ends early if the document is deleted or replaced meanwhile."""
        return originals.read_pieces(self._database, document, positions)

    async def read_originals(self, documents: Sequence[models.Document]) -> dict[str, bytes]:
        """The bytes of these versions of documents, by document id."""
        versions = {document.id: document.version for document in documents}

        def read(db: Session) -> defaultdict[str, list[bytes]]:
            pieces: defaultdict[str, list[bytes]] = defaultdict(list)
            for document_id, version, data in db.connection().execute(_SELECT_ORIGINALS, {"ids": list(versions)}):
                if version == versions[document_id]:
                    pieces[document_id].append(data)
            return pieces

        pieces = await self._database.run_read(read)
        return {id: b"".join(pieces[id]) for id in versions}

    async def list_documents(
        self,
        project_ids: Sequence[str],
        document_filter: DocumentFilter,
        request: pages.PageRequest,
        order: LibraryOrder = OLDEST_FIRST,
    ) -> list[pages.Page[models.Document]]:
        """A page of each project's documents."""
        # Nearly all documents are READY, so few match any other status.
        statuses = document_filter.status
        sort_matches = statuses is not None and DocumentStatus.READY not in statuses
        fetch = partial(pages.fetch_page_per_parent, descending=order.descending, sort_matches=sort_matches)
        matching, parent = select_documents(document_filter), models.Document.project_id
        return await self._database.run_read(lambda db: fetch(db, matching, parent, project_ids, order.keys, request))

    async def count_documents(self, project_ids: Sequence[str], document_filter: DocumentFilter) -> list[int]:
        """How many documents of each project match."""
        matching, parent = select_documents(document_filter), models.Document.project_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, matching, parent, project_ids))

    async def totals_by_project(self, project_ids: Sequence[str]) -> list[DocumentTotals]:
        """The totals of each project."""
        row, done = models.Document, models.Document.chunks_done
        totals = (
            select(
                row.project_id,
                func.count(),
                func.sum(row.bytes),
                func.sum(done),
                func.sum(func.coalesce(row.chunks_total, done)),
                func.count().filter(versions.is_outdated()),
            )
            .where(row.project_id.in_(project_ids))
            .group_by(row.project_id)
        )
        rows = await self._database.run_read(lambda db: db.execute(totals).all())
        found = {project_id: DocumentTotals(*counts) for project_id, *counts in rows}
        return [found.get(project_id, DocumentTotals()) for project_id in project_ids]

    async def list_chunks(
        self, document_ids: Sequence[str], request: pages.PageRequest
    ) -> list[pages.Page[models.Chunk]]:
        """A page of each document's chunks, in text order."""
        parent, keys = models.Chunk.document_id, [models.Chunk.position]
        return await self._database.run_read(
            lambda db: pages.fetch_page_per_parent(db, select(models.Chunk), parent, document_ids, keys, request)
        )

    async def count_chunks(self, document_ids: Sequence[str]) -> list[int]:
        """How many chunks each document has."""
        chunks, parent = select(models.Chunk), models.Chunk.document_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, chunks, parent, document_ids))

    async def chunks_by_ids(self, ids: Sequence[int]) -> list[models.Chunk | None]:
        """The chunks with these ids, in order; None where there is none."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.Chunk, ids))


def _get_document(db: Session, document_id: str) -> models.Document:
    """The row, locked so that nobody else claims, finishes or deletes the document meanwhile. Raises NotFound."""
    document = db.get(models.Document, document_id, with_for_update=True)
    if document is None:
        raise errors.NotFound("document", document_id)
    return document
