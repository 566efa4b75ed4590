"""Check that rows, full-text index, vectors and originals agree, and repair discrepancies."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge.index.protocol import Index, TextDiscrepancies, VectorDiscrepancies
from app.knowledge.storage_limits import RECOUNTED_BYTES
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.statuses import DocumentStatus

# Small originals, as most are, are read in batches.
_BATCH_SIZE, _SMALL_BYTES = 100, 100_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem, as a sentence, and whether `repair` can fix it."""

    message: str
    is_repairable: bool = True


@dataclass(slots=True)
class IntegrityReport:
    """All problems. `documents_to_reindex` need to be processed again from their originals."""

    findings: list[Finding] = field(default_factory=list[Finding])
    documents_to_reindex: set[str] = field(default_factory=set[str])
    texts: TextDiscrepancies | None = None
    vectors: VectorDiscrepancies | None = None


class IntegrityChecker:
    """Compares data that is stored in several places. Only `repair` writes."""

    def __init__(self, database: Database, index: Index, notifier: Notifier) -> None:
        self._database = database
        self._index = index
        self._notifier = notifier

    async def check(self) -> IntegrityReport:
        """Check everything in one snapshot, except originals, which are read in batches."""
        found = IntegrityReport()
        async with self._database.read() as db:
            await self._check_index(db, found)
            await _check_chunk_counts(db, found)
            await _check_stored_bytes(db, found)
            ids = list(await db.scalars(select(models.Document.id).order_by(models.Document.id)))
        for start in range(0, len(ids), _BATCH_SIZE):
            check = partial(_check_small_originals, ids[start : start + _BATCH_SIZE], found)
            for document_id in await self._database.run_read(check, slow=True):
                async with self._database.read() as db:
                    await _check_original(db, document_id, found)
        return found

    async def repair(self, found: IntegrityReport) -> int:
        """Remove stray index entries and queue the documents to reindex; returns their number."""
        async with self._database.begin(Lock.DOCUMENTS) as db:
            if found.texts is not None:
                await self._index.texts.repair_discrepancies(db, found.texts)
            if found.vectors is not None:
                await self._index.vectors.repair_discrepancies(db, found.vectors)
            # Processes may have this version of the index in memory.
            versions = update(models.Project).values(
                index_version=models.Project.index_version + 1, stored_bytes=RECOUNTED_BYTES
            )
            await db.execute(versions.execution_options(synchronize_session=False))
            await db.execute(
                update(models.Document)
                .where(
                    models.Document.id.in_(found.documents_to_reindex), models.Document.status == DocumentStatus.READY
                )
                .values(
                    status=DocumentStatus.QUEUED,
                    stage=None,
                    progress=models.Document.progress + 1,
                    queued_at=models.now(),
                )
                .execution_options(synchronize_session=False)
            )
        self._notifier.notify(topics.INGESTION_QUEUE)
        return len(found.documents_to_reindex)

    async def _check_index(self, db: AsyncSession, found: IntegrityReport) -> None:
        texts = found.texts = await self._index.texts.find_discrepancies(db)
        vectors = found.vectors = await self._index.vectors.find_discrepancies(db)
        for ids, problem in (
            (texts.missing_chunks, "are not in the full-text index and cannot be found by their words."),
            (vectors.missing_chunks, "have no vector and cannot be found by their meaning."),
        ):
            if ids:
                found.findings.append(Finding(f"{len(ids):,} chunks {problem}"))
                found.documents_to_reindex.update(await _find_documents(db, ids))
        if texts.stray_rows:
            found.findings.append(Finding(f"{len(texts.stray_rows):,} full-text entries belong to no chunk."))
        if vectors.stray_rows:
            found.findings.append(Finding(f"{len(vectors.stray_rows):,} vectors belong to no chunk."))
        if texts.miscounted_projects:
            message = f"The word counts of {len(texts.miscounted_projects):,} projects are wrong."
            found.findings.append(Finding(message))


async def _find_documents(db: AsyncSession, chunk_ids: Sequence[int]) -> set[str]:
    documents: set[str] = set()
    for start in range(0, len(chunk_ids), 1000):
        of_chunks = models.Chunk.id.in_(chunk_ids[start : start + 1000])
        documents.update(await db.scalars(select(models.Chunk.document_id).where(of_chunks).distinct()))
    return documents


async def _check_chunk_counts(db: AsyncSession, found: IntegrityReport) -> None:
    """Check that a READY document's chunks match its row: their number, positions from 0 without gaps, and version.

    Projects that are being deleted are skipped, because their chunks go first.
    """
    counted = (
        select(models.Document.id, models.Document.title)
        .join(models.Project, models.Project.id == models.Document.project_id)
        .outerjoin(models.Chunk, models.Chunk.document_id == models.Document.id)
        .where(models.Document.status == DocumentStatus.READY, models.Project.deleted_at.is_(None))
        .group_by(models.Document.id)
        .having(
            (func.count(models.Chunk.id) != models.Document.chunks_total)
            | (func.max(models.Chunk.position) != models.Document.chunks_total - 1)
            | (func.min(models.Chunk.version) != models.Document.version)
            | (func.max(models.Chunk.version) != models.Document.version)
        )
    )
    for row in await db.execute(counted):
        found.findings.append(Finding(f"The chunks of “{row.title}” differ from those stored with it."))
        found.documents_to_reindex.add(row.id)


async def _check_stored_bytes(db: AsyncSession, found: IntegrityReport) -> None:
    """Check the stored size of each project."""
    project = models.Project
    miscounted = select(func.count()).where(project.deleted_at.is_(None), project.stored_bytes != RECOUNTED_BYTES)
    if count := await db.scalar(miscounted):
        sizes = "The stored size of a project is" if count == 1 else f"The stored sizes of {count:,} projects are"
        found.findings.append(Finding(f"{sizes} wrong."))


def _check_small_originals(ids: Sequence[str], found: IntegrityReport, db: Session) -> list[str]:
    """Check the small ones of these documents; returns the ids of the others."""
    of_ids = select(models.Document).where(models.Document.id.in_(ids)).order_by(models.Document.id)
    documents = db.scalars(of_ids).all()
    digests = {document.id: hashlib.sha256() for document in documents if document.bytes <= _SMALL_BYTES}
    versions, piece = {document.id: document.version for document in documents}, models.Original
    pieces = select(piece.document_id, piece.version, piece.data).where(piece.document_id.in_(digests))
    for row in db.execute(pieces.order_by(piece.document_id, piece.position)):
        if row.version == versions[row.document_id]:
            digests[row.document_id].update(row.data)
    for document in documents:
        if document.id in digests:
            _compare_hash(document, digests[document.id].hexdigest(), found)
    return [document.id for document in documents if document.id not in digests]


async def _check_original(db: AsyncSession, document_id: str, found: IntegrityReport) -> None:
    """Check that an original has its document's hash."""
    document = await db.get(models.Document, document_id)
    if document is None:  # deleted since
        return
    digest = hashlib.sha256()
    of_version = (models.Original.document_id == document_id, models.Original.version == document.version)
    positions = await db.scalars(select(models.Original.position).where(*of_version).order_by(models.Original.position))
    for position in positions.all():  # one at a time: an original may not fit into memory
        piece = select(models.Original.data).where(*of_version, models.Original.position == position)
        digest.update((await db.execute(piece)).scalar_one())
    _compare_hash(document, digest.hexdigest(), found)


def _compare_hash(document: models.Document, digest: str, found: IntegrityReport) -> None:
    if digest != document.sha256:
        found.documents_to_reindex.discard(document.id)
        found.findings.append(
            Finding(f"The original of “{document.title}” is damaged; add it again.", is_repairable=False),
        )
