"""Documents in chunks with their vectors in; rows, full text and vectors of all of them out, in one transaction."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
from sqlalchemy import ColumnElement, Delete, Update, and_, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.database.engine import Database
from app.knowledge.index import terms
from app.knowledge.index.protocol import Index, TextEntry
from app.knowledge.library import Library
from app.knowledge.parsed import SplitDocument, TextChunk
from app.providers.base import Vectors

# Making the values of a statement of thousands of rows is work of the event loop, during which it does nothing else.
_ROWS_AT_A_TIME = 100


@dataclass(frozen=True, slots=True)
class EmbeddedDocument:
    """A document that is ready to be stored; row i of `vectors` belongs to chunk i."""

    document: models.Document
    split: SplitDocument
    space: models.EmbeddingSpace
    vectors: Vectors


class DocumentIndexer:
    """Puts documents into the index, in place of their former versions."""

    def __init__(self, database: Database, index: Index, documents: Library) -> None:
        self._database = database
        self._index = index
        self._documents = documents

    async def store_documents(self, items: Sequence[EmbeddedDocument]) -> None:
        """Old chunks out, new chunks in, the documents READY: searches see the one or the other, never both or none.

        A document that was deleted or replaced while it was being processed is left out.
        """
        # Before the transaction, for it holds up all others that write; in a thread, for a book has many words.
        terms_of = await asyncio.to_thread(lambda: {item.document.id: _terms(item) for item in items})
        async with self._database.begin() as db:  # kill point: store.committing
            kept = await _ours(db, items)  # crash guard: store.wanted
            by_space: defaultdict[str, list[EmbeddedDocument]] = defaultdict(list)
            for item in kept:
                by_space[item.space.id].append(item)
            for group in by_space.values():
                await self._replace(db, group, terms_of)

    async def _replace(
        self, db: AsyncSession, items: Sequence[EmbeddedDocument], terms_of: Mapping[str, Sequence[terms.CountedTerms]]
    ) -> None:
        """Documents of one space: what their former versions left goes, what they are now comes."""
        await self._documents.delete_chunks(db, [item.document for item in items])
        ids = [item.document.id for item in items]
        await db.execute(delete(models.PausedVectors).where(models.PausedVectors.document_id.in_(ids)))
        for item in items:  # kill point: store.forgotten
            if item.document.version > 1:
                await db.execute(_older_originals(item.document))
        chunk_ids = await _insert(db, items)  # kill point: resume.forgotten
        entries = [  # kill point: store.inserted
            TextEntry(chunk_ids[item.document.id, chunk.position], counted)
            for item in items
            for chunk, counted in zip(item.split.chunks, terms_of[item.document.id], strict=True)
        ]
        vectors = numpy.concatenate([item.vectors for item in items])
        for start in range(0, len(entries), _ROWS_AT_A_TIME):
            some = entries[start : start + _ROWS_AT_A_TIME]
            await self._index.add_texts(db, items[0].document.project_id, some)
            of_some = vectors[start : start + _ROWS_AT_A_TIME]
            await self._index.add_vectors(db, items[0].space, [entry.chunk_id for entry in some], of_some)
        await db.execute(update(models.Document), [_ready(item) for item in items])  # kill point: store.indexed
        await db.execute(
            update(models.Project)  # kill point: resume.ready
            .where(models.Project.id == items[0].document.project_id)
            .values(index_version=models.Project.index_version + 1)
            .execution_options(synchronize_session=False)
        )


async def _ours(db: AsyncSession, items: Sequence[EmbeddedDocument]) -> list[EmbeddedDocument]:
    """Those whose documents are still being processed here, in the version that was read and under its title."""
    by_id = {item.document.id: item for item in items}
    rows = await db.execute(
        select(models.Document.id, models.Document.version, models.Document.queued_at).where(
            models.Document.id.in_(by_id), models.Document.status == "PROCESSING"
        )
    )
    turns = {id: (item.document.version, item.document.queued_at) for id, item in by_id.items()}
    return [by_id[row.id] for row in rows if turns[row.id] == (row.version, row.queued_at)]


def update_if_processing(document: models.Document) -> Update:
    """An update of the document's row while it is being processed; of no row once it was deleted or queued anew."""
    return update(models.Document).where(is_still_processing(document)).execution_options(synchronize_session=False)


def is_still_processing(document: models.Document) -> ColumnElement[bool]:
    """Whether the document's row is being processed as it was claimed."""
    return and_(
        models.Document.id == document.id,
        models.Document.version == document.version,
        models.Document.queued_at == document.queued_at,
        models.Document.status == "PROCESSING",
    )


def full_heading(document: models.Document, chunk: TextChunk) -> str:
    """The document's title and the headings above the chunk; a first heading that repeats the title counts once."""
    path = chunk.heading[1:] if chunk.heading[:1] == (document.title,) else chunk.heading
    return " > ".join((document.title, *path))


def _terms(item: EmbeddedDocument) -> list[terms.CountedTerms]:
    return [terms.count_terms(full_heading(item.document, chunk), chunk.text) for chunk in item.split.chunks]


def _ready(item: EmbeddedDocument) -> dict[str, Any]:
    count = len(item.split.chunks)
    return {
        "id": item.document.id,
        "title": item.document.title,
        "media_type": item.split.media_type,
        "status": "READY",
        "stage": None,
        "chunks_done": count,
        "chunks_total": count,
        "progress": item.document.progress + 1,
        "updated_at": models.now(),
    }


def _older_originals(document: models.Document) -> Delete:
    older = models.Original.version != document.version
    return delete(models.Original).where(models.Original.document_id == document.id, older)


async def _insert(db: AsyncSession, items: Sequence[EmbeddedDocument]) -> dict[tuple[str, int], int]:
    """Rows of all chunks in few statements; (document id, position) → chunk id."""
    chunks = [(item.document, chunk) for item in items for chunk in item.split.chunks]
    # In no order: sorted by the database's word, each row would be a statement of its own.
    statement = insert(models.Chunk).returning(models.Chunk.id, models.Chunk.document_id, models.Chunk.position)
    ids: dict[tuple[str, int], int] = {}
    for start in range(0, len(chunks), _ROWS_AT_A_TIME):
        rows = [chunk_values(*chunk) for chunk in chunks[start : start + _ROWS_AT_A_TIME]]
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
