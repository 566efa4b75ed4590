"""Store embedded documents: chunk rows, full text and vectors in one transaction."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy
from sqlalchemy import ColumnElement, and_, bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from app import errors, safe_text
from app.database import models
from app.database.locks import Lock, ProjectLock
from app.database.protocol import Database
from app.events.outbox import Event, Outbox
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms, Index, SpaceKey
from app.knowledge.library import Library
from app.knowledge.notifications import document_failed, document_ready
from app.knowledge.parsed_documents import SplitDocument, TextChunk
from app.knowledge.storage_limits import StorageLimits, read_older_bytes
from app.knowledge.versions import READER_VERSION, count_index_change
from app.observation import tracing
from app.providers.base import Vectors
from app.statuses import DocumentStatus, EmbeddingSpaceState

# Databases limit the number of values in one statement.
_ROWS_PER_STATEMENT = 500
_RETRY_MS = 1_000

_SELECT_PROCESSING = (
    select(
        models.Document.id,
        models.Document.version,
        models.Document.queued_at,
        models.Document.owner,
        models.EmbeddingSpace.id.label("space"),
    )
    .outerjoin(
        models.EmbeddingSpace,
        and_(
            models.EmbeddingSpace.project_id == models.Document.project_id,
            models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE,
        ),
    )
    .where(
        models.Document.id.in_(bindparam("ids", expanding=True)), models.Document.status == DocumentStatus.PROCESSING
    )
)
_FORGET_VECTORS = delete(models.PausedVectors).where(
    models.PausedVectors.document_id.in_(bindparam("ids", expanding=True))
)
_DELETE_OLDER_ORIGINALS = delete(models.Original).where(
    models.Original.document_id == bindparam("document"), models.Original.version != bindparam("newest")
)
# Not sorted: with `sort_by_parameter_order`, each row would need its own statement.
_INSERT_CHUNKS = insert(models.Chunk).returning(models.Chunk.id, models.Chunk.document_id, models.Chunk.position)
_SET_READY = (
    update(models.Document)
    .where(models.Document.id == bindparam("document"))
    .values(
        title=bindparam("new_title"),
        media_type=bindparam("new_media_type"),
        reader_version=READER_VERSION,
        status=DocumentStatus.READY,
        stage=None,
        chunks_done=bindparam("chunks"),
        chunks_total=bindparam("chunks"),
        # Computed in the database: the claimed row may be out of date, because workers report progress.
        progress=models.Document.progress + 1,
        updated_at=bindparam("moment"),
    )
)


@dataclass(frozen=True, slots=True)
class EmbeddedDocument:
    """A document that is ready to be indexed; row i of `vectors` belongs to chunk i."""

    document: models.Document
    split: SplitDocument
    space: models.EmbeddingSpace
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class StoredDocuments:
    """How many chunks the project has now, 0 if nothing was stored; and why some documents were `refused`, by id."""

    chunks: int
    refused: Mapping[str, str]


class DocumentIndexer:
    """Indexes documents, replacing their former versions."""

    def __init__(
        self, database: Database, index: Index, library: Library, storage: StorageLimits, outbox: Outbox
    ) -> None:
        self._database = database
        self._outbox = outbox
        self._index = index
        self._library = library
        self._storage = storage

    async def find_over_limit(self, project_id: str, read: Mapping[str, SplitDocument]) -> dict[str, str]:
        """The documents of a project whose parsed text exceeds the storage limit now: their ids, with the reason."""
        return await self._database.run_read(
            partial(self._storage.find_over_limit, project_id, _count_characters(read))
        )

    async def store_documents(self, items: Sequence[EmbeddedDocument]) -> StoredDocuments:
        """Replace old chunks by new ones and mark the documents READY, so that searches never see both or neither.

        Skips documents that were deleted or replaced meanwhile, and refuses those whose text exceeds the storage limit:
        others may have been stored while they were embedded. Raises Unavailable if the project has switched to another
        embedding model.
        """
        # Before the transaction, which blocks all other writers; in a thread, because a book has many words.
        document_terms = await asyncio.to_thread(lambda: {item.document.id: _count_terms(item) for item in items})
        lock = ProjectLock(Lock.DOCUMENTS, items[0].document.project_id)
        with tracing.child_span("store documents", attributes={"footnote.documents": len(items)}):
            return await self._database.run_write(partial(self._store, items, document_terms), lock)

    async def store_failures(self, code: str, failures: Sequence[tuple[models.Document, str]]) -> None:
        """Mark documents FAILED, each with its message, unless they were deleted or queued again in the meantime."""

        def write(db: Session) -> None:
            failed: list[Event] = []
            for document, message in failures:
                failure = {"failure_code": code, "failure_message": safe_text.replace_unstorable(message)}
                values = {"status": DocumentStatus.FAILED, "stage": None, **failure}
                if _update_if_processing(db, document, values):
                    failed.append(document_failed(document, code))
            self._outbox.write_events(db, failed)
            return  # kill point: failing

        if failures:
            await self._database.run_write(write)

    async def update_processing(self, documents: Sequence[models.Document], values: Mapping[str, object]) -> None:
        """Give these values to documents, except those that were deleted or queued again in the meantime."""

        def write(db: Session) -> None:
            for document in documents:
                _update_if_processing(db, document, values)

        await self._database.run_write(write)

    def _store(
        self,
        items: Sequence[EmbeddedDocument],
        document_terms: Mapping[str, Sequence[terms.CountedTerms]],
        db: Session,
    ) -> StoredDocuments:
        wanted = _select_wanted(db, items)  # crash guard: store.wanted
        if not wanted:
            return StoredDocuments(0, {})
        characters = _count_characters({item.document.id: item.split for item in wanted})
        refused = self._storage.find_over_limit(wanted[0].document.project_id, characters, db)
        by_space: defaultdict[str, list[EmbeddedDocument]] = defaultdict(list)
        for item in wanted:
            if item.document.id not in refused:
                by_space[item.space.id].append(item)
        chunks = 0
        for group in by_space.values():
            chunks = self._replace_documents(db, group, document_terms)
        return StoredDocuments(chunks, refused)  # kill point: store.committing

    def _replace_documents(
        self, db: Session, items: Sequence[EmbeddedDocument], document_terms: Mapping[str, Sequence[terms.CountedTerms]]
    ) -> int:
        """Replace documents that were embedded in one space; returns how many chunks the project has now."""
        removed = self._library.delete_chunks(db, [item.document for item in items])
        connection = db.connection()
        connection.execute(_FORGET_VECTORS, {"ids": [item.document.id for item in items]})
        older = [  # kill point: store.forgotten
            {"document": item.document.id, "newest": item.document.version}
            for item in items
            if item.document.version > 1
        ]
        if older:
            removed += sum(read_older_bytes(db, [item.document.id for item in items]).values())
            connection.execute(_DELETE_OLDER_ORIGINALS, older)
        chunk_ids = _insert_chunks(db, items)  # kill point: resume.forgotten
        entries = [  # kill point: store.inserted
            ChunkTerms(chunk_ids[item.document.id, chunk.position], counted)
            for item in items
            for chunk, counted in zip(item.split.chunks, document_terms[item.document.id], strict=True)
        ]
        space, vectors = SpaceKey.from_row(items[0].space), numpy.concatenate([item.vectors for item in items])
        chunks = self._index.texts.add_texts(db, items[0].document.project_id, entries)
        new_ids = [entry.chunk_id for entry in entries]
        self._index.vectors.remove_vectors(db, space, new_ids)  # stray vectors would violate uniqueness
        self._index.vectors.add_vectors(db, space, new_ids, vectors)
        connection.execute(_SET_READY, [_ready_values(item) for item in items])  # kill point: store.indexed
        self._outbox.write_events(db, [_ready_event(item) for item in items])
        project_id = items[0].document.project_id
        added = sum(len(chunk.text) for item in items for chunk in item.split.chunks) - removed
        count_index_change(db, project_id, added)  # kill point: resume.ready
        return chunks


def _select_wanted(db: Session, items: Sequence[EmbeddedDocument]) -> list[EmbeddedDocument]:
    """The documents whose claim is still valid. Raises Unavailable if the embedding model was switched."""
    by_id = {item.document.id: item for item in items}
    rows = db.connection().execute(_SELECT_PROCESSING, {"ids": list(by_id)})
    claims = {id: (item.document.version, item.document.queued_at, item.document.owner) for id, item in by_id.items()}
    wanted = [(by_id[row.id], row.space) for row in rows if claims[row.id] == (row.version, row.queued_at, row.owner)]
    if any(item.space.id != active for item, active in wanted):
        message = "The project's embedding model was switched; its documents are embedded again."
        raise errors.Unavailable(message, "ingestion", _RETRY_MS)
    return [item for item, _ in wanted]


def _update_if_processing(db: Session, document: models.Document, values: Mapping[str, object]) -> bool:
    """Update the document's row unless it was deleted, requeued or claimed by another. Returns whether it did."""
    changed = (
        update(models.Document)
        .where(is_still_processing(document))
        .values(progress=models.Document.progress + 1, **values)
        .returning(models.Document.id)
        .execution_options(synchronize_session=False)
    )
    return db.scalar(changed) is not None


def is_still_processing(document: models.Document) -> ColumnElement[bool]:
    """Whether the claim of this document is still valid."""
    return and_(
        models.Document.id == document.id,
        models.Document.version == document.version,
        models.Document.queued_at == document.queued_at,
        models.Document.owner == document.owner,
        models.Document.status == DocumentStatus.PROCESSING,
    )


def _count_characters(read: Mapping[str, SplitDocument]) -> dict[str, int]:
    return {id: sum(len(chunk.text) for chunk in split.chunks) for id, split in read.items()}


def _count_terms(item: EmbeddedDocument) -> list[terms.CountedTerms]:
    title = item.document.title
    return [terms.count_terms(terms.full_heading(title, chunk.heading), chunk.text) for chunk in item.split.chunks]


def _ready_event(item: EmbeddedDocument) -> Event:
    return document_ready(item.document, item.split.media_type, len(item.split.chunks))


def _ready_values(item: EmbeddedDocument) -> dict[str, Any]:
    return {
        "document": item.document.id,
        "new_title": item.document.title,
        "new_media_type": item.split.media_type,
        "chunks": len(item.split.chunks),
        "moment": models.now(),
    }


def _insert_chunks(db: Session, items: Sequence[EmbeddedDocument]) -> dict[tuple[str, int], int]:
    """Insert all chunks in a few statements; returns (document id, position) → chunk id."""
    chunks = [(item.document, chunk) for item in items for chunk in item.split.chunks]
    ids: dict[tuple[str, int], int] = {}
    for start in range(0, len(chunks), _ROWS_PER_STATEMENT):
        rows = [chunk_values(*chunk) for chunk in chunks[start : start + _ROWS_PER_STATEMENT]]
        ids |= {(row[1], row[2]): row[0] for row in db.connection().execute(_INSERT_CHUNKS, rows)}
    return ids


def chunk_values(document: models.Document, chunk: TextChunk) -> dict[str, Any]:
    """The values of a chunk's row."""
    return {
        "project_id": document.project_id,
        "document_id": document.id,
        "version": document.version,
        "position": chunk.position,
        "text": chunk.text,
        "heading": list(chunk.heading),
        "page": chunk.page,
        "page_breaks": list(chunk.page_breaks),
        "start_offset": chunk.start,
        "end_offset": chunk.end,
        "token_count": chunk.token_count,
    }
