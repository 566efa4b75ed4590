"""Embed the chunks of documents; if the model fails, the vectors made so far are saved for the next attempt."""

import hashlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import numpy
from sqlalchemy import bindparam, delete, insert, select

from app import errors
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge.index import terms
from app.knowledge.ingestion.indexing import EmbeddedDocument
from app.knowledge.parsed_documents import SplitDocument
from app.knowledge.spaces import EmbeddingSpaces
from app.providers.base import EmbeddingModel, Vectors

# Texts per model call, and vectors per stored row.
_BATCH_SIZE = 256

_SELECT_SAVED = (
    select(models.PausedVectors.document_id, models.PausedVectors.fingerprint, models.PausedVectors.data)
    .where(models.PausedVectors.document_id.in_(bindparam("ids", expanding=True)))
    .order_by(models.PausedVectors.document_id, models.PausedVectors.position)
)

ReportProgress = Callable[[int, int], Awaitable[None]]
"""Called with the numbers of embedded texts and of all texts."""


@dataclass(eq=False, slots=True)
class ReadDocument:
    """A document that was parsed and split, which took `took_ms`; `embedded_texts` of its texts have a vector."""

    document: models.Document
    split: SplitDocument
    took_ms: float
    embedded_texts: int = 0


@dataclass(eq=False)
class _EmbeddingJob:
    """A document's texts, and the vectors made so far."""

    read: ReadDocument
    texts: list[str]
    vectors: list[Vectors] = field(default_factory=list[Vectors])

    @property
    def done(self) -> int:
        """How many texts have a vector."""
        return sum(len(part) for part in self.vectors)


class DocumentEmbedder:
    """Embeds documents of one project in batches that may span several documents."""

    def __init__(self, database: Database, spaces: EmbeddingSpaces) -> None:
        self._database = database
        self._spaces = spaces

    async def embed_documents(self, reads: Sequence[ReadDocument], report: ReportProgress) -> list[EmbeddedDocument]:
        """Embed documents; saves the vectors made before an error.

        Raises an AnswerError if the model fails, and NotFound if the project is gone.
        """
        space, model = await self._spaces.ensure_space(reads[0].document.project_id)
        jobs = [_EmbeddingJob(read, _texts_to_embed(read)) for read in reads]
        await self._restore_vectors(jobs, model, space.dimensions)
        try:
            await _embed_jobs(jobs, model, report)  # kill point: resume.taken
        except errors.AnswerError:
            await self._save_vectors(jobs, model)
            for job in jobs:  # kill point: pause.committed
                job.read.embedded_texts = job.done
            raise
        return [
            EmbeddedDocument(job.read.document, job.read.split, space, numpy.concatenate(job.vectors)) for job in jobs
        ]

    async def model_answers(self, project_id: str) -> bool:
        """Whether the project's model can embed a text unrelated to its documents."""
        try:
            _, model = await self._spaces.ensure_space(project_id)
            await model.embed_texts(["Is anybody there?"], "query")
        except (errors.AnswerError, errors.NotFound):
            return False
        return True

    async def _restore_vectors(self, jobs: Sequence[_EmbeddingJob], model: EmbeddingModel, dimensions: int) -> None:
        """Reuse vectors that an earlier attempt made of the same texts with the same model."""
        ids = [job.read.document.id for job in jobs]
        saved: defaultdict[str, list[tuple[str, bytes]]] = defaultdict(list)
        for document_id, fingerprint, data in await self._database.run_read(
            lambda db: db.connection().execute(_SELECT_SAVED, {"ids": ids}).all()
        ):
            saved[document_id].append((fingerprint, data))
        for job in jobs:
            for fingerprint, data in saved[job.read.document.id]:
                if len(data) % (4 * dimensions):
                    break
                vectors = numpy.frombuffer(data, dtype=numpy.float32).reshape(-1, dimensions)
                texts = job.texts[job.done : job.done + len(vectors)]
                if fingerprint != _fingerprint(model, texts):  # crash guard: resume.fingerprint
                    break
                job.vectors.append(vectors)

    async def _save_vectors(self, jobs: Sequence[_EmbeddingJob], model: EmbeddingModel) -> None:
        table = models.PausedVectors
        begun = [job for job in jobs if job.vectors]
        rows = [row for job in begun for row in _vector_rows(job, model)]
        if rows:
            async with self._database.begin(Lock.PAUSED_VECTORS) as db:  # kill point: pause.committing
                ids = [job.read.document.id for job in begun]
                # Locked, because vectors of a document that is deleted meanwhile would belong to no row.
                remain = select(models.Document.id).where(models.Document.id.in_(ids)).order_by(models.Document.id)
                existing = set(await db.scalars(remain.with_for_update(read=True, key_share=True)))
                await db.execute(delete(table).where(table.document_id.in_(ids)))
                if remaining := [row for row in rows if row["document_id"] in existing]:
                    await db.execute(insert(table), remaining)


async def _embed_jobs(jobs: Sequence[_EmbeddingJob], model: EmbeddingModel, report: ReportProgress) -> None:
    total = sum(len(job.texts) for job in jobs)
    waiting = [(job, text) for job in jobs for text in job.texts[job.done :]]
    for start in range(0, len(waiting), _BATCH_SIZE):
        batch = waiting[start : start + _BATCH_SIZE]
        vectors = await model.embed_texts([text for _, text in batch], "document")
        start_of_job = 0
        while start_of_job < len(batch):
            job = batch[start_of_job][0]
            end = next((i for i in range(start_of_job, len(batch)) if batch[i][0] is not job), len(batch))
            job.vectors.append(vectors[start_of_job:end])
            start_of_job = end
        await report(total - len(waiting) + start + len(batch), total)


def text_to_embed(title: str, heading: Sequence[str], text: str) -> str:
    """The text of a chunk as it is passed to the embedding model, with its document's title and headings."""
    return f"{terms.full_heading(title, heading)}\n{text}"


def _texts_to_embed(read: ReadDocument) -> list[str]:
    return [text_to_embed(read.document.title, chunk.heading, chunk.text) for chunk in read.split.chunks]


def _vector_rows(job: _EmbeddingJob, model: EmbeddingModel) -> list[dict[str, object]]:
    vectors = numpy.concatenate(job.vectors)
    parts = [(start, vectors[start : start + _BATCH_SIZE]) for start in range(0, len(vectors), _BATCH_SIZE)]
    return [
        {
            "document_id": job.read.document.id,
            "position": position,
            "fingerprint": _fingerprint(model, job.texts[start : start + len(part)]),
            "data": part.astype(numpy.float32).tobytes(),
        }
        for position, (start, part) in enumerate(parts)
    ]


def _fingerprint(model: EmbeddingModel, texts: Sequence[str]) -> str:
    digest = hashlib.sha256(model.name.encode())
    for text in texts:
        digest.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return digest.hexdigest()
