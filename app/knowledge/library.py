"""Add, change, delete and list documents; new ones are queued for ingestion."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from datetime import datetime
from typing import Any, BinaryIO

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.database import models, pages
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.knowledge import originals, uploads, versions
from app.knowledge.index.protocol import Index
from app.knowledge.ingestion.queue_limits import QueueLimits
from app.knowledge.search.filters import DocumentCriteria, select_documents
from app.knowledge.spaces import EmbeddingSpaces
from app.knowledge.uploads import ContentDigest, NewDocument
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.statuses import DocumentStatus


class Library:
    """The documents of all projects."""

    def __init__(
        self,
        database: Database,
        index: Index,
        spaces: EmbeddingSpaces,
        notifier: Notifier,
        *,
        max_bytes: int,
        queue_limits: QueueLimits,
    ) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._notifier = notifier
        self._max_bytes = max_bytes
        self._queue_limits = queue_limits

    async def add_document(self, project_id: str, new: NewDocument, file: BinaryIO) -> tuple[models.Document, bool]:
        """Store a document and queue it; returns the row, and whether it existed unchanged (then nothing is done).

        The same `source` again makes the next version; the old chunks stay searchable until the new ones are ready.
        Raises NotFound for the project, Invalid for an empty or oversized file or a value out of bounds, Unavailable
        while too many documents are waiting.
        """
        uploads.check_new_document(new)
        content = await asyncio.to_thread(uploads.digest_content, file, self._max_bytes)
        async with self._database.begin(Lock.DOCUMENTS) as db:  # kill point: add.committing, add.replacing
            if await db.get(models.Project, project_id) is None:
                raise errors.NotFound("project", project_id)
            repeated = await _find_repeated(db, project_id, new, content)
            if repeated is not None:
                return repeated, True
            known = await _find_by_source(db, project_id, new.source)
            if known is not None and versions.is_unchanged(known, content):
                _record_key(db, known, new, content)
                return known, True
            await self._queue_limits.check_capacity(db, project_id)
            document = known or models.Document(id=models.new_id(), project_id=project_id, source=new.source, version=0)
            versions.start_version(document, new, content)
            db.add(document)
            await _delete_stale_originals(db, document.id)
            await originals.store_original(db, document, file)  # crash guard: add.original
            _record_key(db, document, new, content)
        self._notifier.notify(topics.INGESTION_QUEUE)  # kill point: add.committed
        self._notify_document(document)
        return document, False

    async def update_document(self, document_id: str, changes: dict[str, Any]) -> models.Document:
        """Change `title`, `url` or `metadata`; None resets to the default. Raises NotFound, Invalid or Unavailable.

        The title is part of the searched text, so a new one queues the document again.
        """
        uploads.check_document_changes(changes)
        async with self._database.begin(Lock.DOCUMENTS) as db:
            document = await db.get(models.Document, document_id)
            if document is None:
                raise errors.NotFound("document", document_id)
            if "url" in changes:
                document.url = changes["url"]
            if "metadata" in changes:
                document.document_metadata = changes["metadata"] or {}
            if "title" in changes:
                document.title = versions.choose_title(changes["title"], document.name, document.source)
                document.title_given = changes["title"] is not None
                if document.status == DocumentStatus.READY:
                    await self._queue_limits.check_capacity(db, document.project_id)
                if document.status != DocumentStatus.FAILED:
                    versions.enqueue(document)
            project = await db.get_one(models.Project, document.project_id)
            project.index_version += 1
        self._notifier.notify(topics.INGESTION_QUEUE)
        self._notify_document(document)
        return document

    async def retry_document(self, document_id: str) -> models.Document:
        """Queue a failed document again, behind the others of its project.

        Raises NotFound, Conflict when it has not failed, or Unavailable while too many documents are waiting.
        """
        async with self._database.begin(Lock.DOCUMENTS) as db:  # kill point: retry.committing
            document = await db.get(models.Document, document_id)
            if document is None:
                raise errors.NotFound("document", document_id)
            if document.status != DocumentStatus.FAILED:
                raise errors.Conflict(
                    f"Only a failed document can be retried; this one is {document.status}.", document
                )
            await self._queue_limits.check_capacity(db, document.project_id)
            versions.enqueue(document)
        self._notifier.notify(topics.INGESTION_QUEUE)  # kill point: retry.committed
        self._notify_document(document)
        return document

    async def delete_document(self, document_id: str) -> str:
        """Delete a document with its bytes, chunks, full text and vectors; returns its project id. Raises NotFound."""
        async with self._database.begin(Lock.DOCUMENTS) as db:  # kill point: delete.committing
            document = await db.get(models.Document, document_id)
            if document is None:
                raise errors.NotFound("document", document_id)
            await self.delete_chunks(db, [document])  # crash guard: delete.chunks
            project = await db.get_one(models.Project, document.project_id)  # kill point: delete.forgotten
            project.index_version += 1
            await db.delete(document)  # crash guard: delete.row
        self._notify_document(document)  # kill point: delete.committed
        return document.project_id

    async def delete_chunks(self, db: AsyncSession, documents: Sequence[models.Document]) -> None:
        """Remove the chunks of a project's documents with their full text and vectors, in the caller's transaction."""
        of_documents = models.Chunk.document_id.in_([document.id for document in documents])
        ids = (await db.scalars(select(models.Chunk.id).where(of_documents))).all()
        if ids:
            project_id = documents[0].project_id
            spaces = await self._spaces.list_space_keys(db, project_id)
            await self._index.remove_chunks(db, project_id, spaces, ids)
            await db.execute(delete(models.Chunk).where(of_documents))

    async def documents_by_ids(self, ids: Sequence[str]) -> list[models.Document | None]:
        """The documents with these ids, in order; None where there is none."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.Document, ids))

    async def finished_documents(self, ids: Sequence[str]) -> list[models.Document]:
        """The documents among these whose ingestion has ended: READY or FAILED."""
        async with self._database.read() as db:
            of_ids = select(models.Document).where(models.Document.id.in_(ids))
            return list(
                await db.scalars(
                    of_ids.where(models.Document.status.in_((DocumentStatus.READY, DocumentStatus.FAILED)))
                )
            )

    async def read_original(self, document: models.Document) -> bytes:
        """The bytes of a document's current version, as uploaded."""
        return (await self.read_originals([document]))[document.id]

    def stream_original(self, document: models.Document) -> AsyncGenerator[bytes]:
        """The same bytes, piece by piece; ends early if the document is deleted or replaced in the meantime."""
        return originals.read_pieces(self._database, document)

    async def read_originals(self, documents: Sequence[models.Document]) -> dict[str, bytes]:
        """The bytes of these versions of documents, by document id."""
        versions = {document.id: document.version for document in documents}
        statement = select(models.Original).where(models.Original.document_id.in_(versions))
        order = (models.Original.document_id, models.Original.position)
        pieces: defaultdict[str, list[bytes]] = defaultdict(list)
        async with self._database.read() as db:
            for piece in await db.scalars(statement.order_by(*order)):
                if piece.version == versions[piece.document_id]:
                    pieces[piece.document_id].append(piece.data)
        return {id: b"".join(pieces[id]) for id in versions}

    async def list_documents(
        self,
        project_ids: Sequence[str],
        which: DocumentCriteria,
        request: pages.PageRequest,
        order: str = "CREATED_AT",
        descending: bool = False,
    ) -> list[pages.Page[models.Document]]:
        """Documents of each project, ordered by CREATED_AT, UPDATED_AT or TITLE."""
        keys = {"CREATED_AT": [], "UPDATED_AT": [models.Document.updated_at], "TITLE": [models.Document.title]}[order]
        matching, parent = select_documents(which), models.Document.project_id
        keys = [*keys, models.Document.id]
        return await self._database.run_read(
            lambda db: pages.fetch_page_per_parent(
                db, matching, parent, project_ids, keys, request, descending=descending
            )
        )

    async def count_documents(self, project_ids: Sequence[str], which: DocumentCriteria) -> list[int]:
        """How many documents of each project match."""
        matching, parent = select_documents(which), models.Document.project_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, matching, parent, project_ids))

    async def documents_changed_since(self, project_id: str, moment: datetime) -> list[models.Document]:
        """Documents of a project whose state changed after `moment`, in the order of the changes."""
        changed = models.Document.updated_at
        statement = select(models.Document).where(models.Document.project_id == project_id, changed > moment)
        async with self._database.read() as db:
            return list(await db.scalars(statement.order_by(changed, models.Document.id)))

    async def chunk_counts(self, project_ids: Sequence[str]) -> list[tuple[int, int]]:
        """For each project: how many chunks can be searched, and how many there are so far."""
        done = models.Document.chunks_done
        totals = (
            select(
                models.Document.project_id, func.sum(done), func.sum(func.coalesce(models.Document.chunks_total, done))
            )
            .where(models.Document.project_id.in_(project_ids))
            .group_by(models.Document.project_id)
        )
        async with self._database.read() as db:
            found = {project_id: (ready, total) for project_id, ready, total in await db.execute(totals)}
        return [found.get(project_id, (0, 0)) for project_id in project_ids]

    async def list_chunks(
        self, document_ids: Sequence[str], request: pages.PageRequest
    ) -> list[pages.Page[models.Chunk]]:
        """Chunks of each document in the order of its text."""
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

    def _notify_document(self, document: models.Document) -> None:
        self._notifier.notify(topics.document(document.id))
        self._notifier.notify(topics.project_documents(document.project_id))


async def _find_repeated(
    db: AsyncSession, project_id: str, new: NewDocument, content: ContentDigest
) -> models.Document | None:
    """The document that was added under this key. Raises Conflict when the key was used for anything else."""
    if new.idempotency_key is None:
        return None
    used = await db.get(models.DocumentKey, (project_id, new.idempotency_key))
    if used is None:
        return None
    document = await db.get_one(models.Document, used.document_id)
    # Earlier versions of Footnote stored the checksum of the content alone.
    if used.sha256 not in (uploads.fingerprint(new, content), content.sha256) or document.source != new.source:
        raise errors.Conflict("This idempotency key was already used for another document.", document)
    return document


def _record_key(db: AsyncSession, document: models.Document, new: NewDocument, content: ContentDigest) -> None:
    if new.idempotency_key is not None:
        fingerprint = uploads.fingerprint(new, content)
        key = {"key": new.idempotency_key, "document_id": document.id, "sha256": fingerprint}
        db.add(models.DocumentKey(project_id=document.project_id, **key))


async def _find_by_source(db: AsyncSession, project_id: str, source: str | None) -> models.Document | None:
    if source is None:
        return None
    of_project = models.Document.project_id == project_id
    return await db.scalar(select(models.Document).where(of_project, models.Document.source == source))


async def _delete_stale_originals(db: AsyncSession, document_id: str) -> None:
    """Delete all originals except the searched version's; repeated failures would otherwise accumulate."""
    version = select(models.Chunk.version).where(models.Chunk.document_id == document_id).limit(1).scalar_subquery()
    other = models.Original.version != func.coalesce(version, 0)
    await db.execute(delete(models.Original).where(models.Original.document_id == document_id, other))
