"""Store embedded documents: chunk rows, full text and vectors in one transaction."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from sqlalchemy import ColumnElement, Delete, Update, and_, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms, Index, SpaceKey
from app.knowledge.library import Library
from app.knowledge.parsed_documents import SplitDocument, TextChunk
from app.providers.base import Vectors
from app.statuses import DocumentStatus

# Building the values of thousands of rows at once would block the event loop.
_ROWS_PER_STATEMENT = 100


@dataclass(frozen=True, slots=True)
class EmbeddedDocument:
    """A document that is ready to be indexed; row i of `vectors` belongs to chunk i."""

    document: models.Document
    split: SplitDocument
    space: models.EmbeddingSpace
    vectors: Vectors


class DocumentIndexer:
    """Indexes documents, replacing their former versions."""

    def __init__(self, database: Database, index: Index, documents: Library) -> None:
        self._database = database
        self._index = index
        self._documents = documents

    async def store_documents(self, items: Sequence[EmbeddedDocument]) -> None:
        """Replace old chunks by new ones and mark the documents READY. Searches see either, never both or none.

        Documents that were deleted or replaced in the meantime are left out.
        """
        # Before the transaction, which blocks all other writers; in a thread, because a book has many words.
        terms_of = await asyncio.to_thread(lambda: {item.document.id: _count_terms(item) for item in items})
        async with self._database.begin(Lock.DOCUMENTS) as db:  # kill point: store.committing
            kept = await _select_wanted(db, items)  # crash guard: store.wanted
            by_space: defaultdict[str, list[EmbeddedDocument]] = defaultdict(list)
            for item in kept:
                by_space[item.space.id].append(item)
            for group in by_space.values():
                await self._replace_documents(db, group, terms_of)

    async def _replace_documents(
        self, db: AsyncSession, items: Sequence[EmbeddedDocument], terms_of: Mapping[str, Sequence[terms.CountedTerms]]
    ) -> None:
        """Replace the former versions of documents of one space."""
        await self._documents.delete_chunks(db, [item.document for item in items])
        ids = [item.document.id for item in items]
        await db.execute(delete(models.PausedVectors).where(models.PausedVectors.document_id.in_(ids)))
        for item in items:  # kill point: store.forgotten
            if item.document.version > 1:
                await db.execute(_delete_older_originals(item.document))
        chunk_ids = await _insert_chunks(db, items)  # kill point: resume.forgotten
        entries = [  # kill point: store.inserted
            ChunkTerms(chunk_ids[item.document.id, chunk.position], counted)
            for item in items
            for chunk, counted in zip(item.split.chunks, terms_of[item.document.id], strict=True)
        ]
        space, vectors = SpaceKey.of_row(items[0].space), numpy.concatenate([item.vectors for item in items])
        for start in range(0, len(entries), _ROWS_PER_STATEMENT):
            some = entries[start : start + _ROWS_PER_STATEMENT]
            await self._index.texts.add_texts(db, items[0].document.project_id, some)
            of_some = vectors[start : start + _ROWS_PER_STATEMENT]
            await self._index.vectors.add_vectors(db, space, [entry.chunk_id for entry in some], of_some)
        await db.execute(update(models.Document), [_ready_values(item) for item in items])  # kill point: store.indexed
        await db.execute(
            update(models.Project)  # kill point: resume.ready
            .where(models.Project.id == items[0].document.project_id)
            .values(index_version=models.Project.index_version + 1)
            .execution_options(synchronize_session=False)
        )


async def _select_wanted(db: AsyncSession, items: Sequence[EmbeddedDocument]) -> list[EmbeddedDocument]:
    """The documents that are still being processed as they were claimed."""
    by_id = {item.document.id: item for item in items}
    rows = await db.execute(
        select(models.Document.id, models.Document.version, models.Document.queued_at).where(
            models.Document.id.in_(by_id), models.Document.status == DocumentStatus.PROCESSING
        )
    )
    turns = {id: (item.document.version, item.document.queued_at) for id, item in by_id.items()}
    return [by_id[row.id] for row in rows if turns[row.id] == (row.version, row.queued_at)]


def update_if_processing(document: models.Document) -> Update:
    """An update of the document's row that has no effect once it was deleted or queued again."""
    return update(models.Document).where(is_still_processing(document)).execution_options(synchronize_session=False)


def is_still_processing(document: models.Document) -> ColumnElement[bool]:
    """Whether the document's row is being processed as it was claimed."""
    return and_(
        models.Document.id == document.id,
        models.Document.version == document.version,
        models.Document.queued_at == document.queued_at,
        models.Document.status == DocumentStatus.PROCESSING,
    )


def full_heading(document: models.Document, chunk: TextChunk) -> str:
    """The document's title and the headings above the chunk; a first heading that repeats the title counts once."""
    path = chunk.heading[1:] if chunk.heading[:1] == (document.title,) else chunk.heading
    return " > ".join((document.title, *path))


def _count_terms(item: EmbeddedDocument) -> list[terms.CountedTerms]:
    return [terms.count_terms(full_heading(item.document, chunk), chunk.text) for chunk in item.split.chunks]


def _ready_values(item: EmbeddedDocument) -> dict[str, Any]:
    count = len(item.split.chunks)
    return {
        "id": item.document.id,
        "title": item.document.title,
        "media_type": item.split.media_type,
        "status": DocumentStatus.READY,
        "stage": None,
        "chunks_done": count,
        "chunks_total": count,
        "progress": item.document.progress + 1,
        "updated_at": models.now(),
    }


def _delete_older_originals(document: models.Document) -> Delete:
    older = models.Original.version != document.version
    return delete(models.Original).where(models.Original.document_id == document.id, older)


async def _insert_chunks(db: AsyncSession, items: Sequence[EmbeddedDocument]) -> dict[tuple[str, int], int]:
    """Rows of all chunks in few statements; (document id, position) → chunk id."""
    chunks = [(item.document, chunk) for item in items for chunk in item.split.chunks]
    # Unordered: with `sort_by_parameter_order`, each row would be a statement of its own.
    statement = insert(models.Chunk).returning(models.Chunk.id, models.Chunk.document_id, models.Chunk.position)
    ids: dict[tuple[str, int], int] = {}
    for start in range(0, len(chunks), _ROWS_PER_STATEMENT):
        rows = [chunk_values(*chunk) for chunk in chunks[start : start + _ROWS_PER_STATEMENT]]
        ids |= {(row.document_id, row.position): row.id for row in await db.execute(statement, rows)}
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
        "start_offset": chunk.start,
        "end_offset": chunk.end,
        "token_count": chunk.token_count,
    }
