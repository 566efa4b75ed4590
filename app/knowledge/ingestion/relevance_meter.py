"""Calibrate a project's relevance scores, and recalibrate when it has grown a lot."""

import asyncio
import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy
from sqlalchemy import bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app import errors, global_ids
from app.database import models
from app.database.protocol import Database
from app.knowledge import relevance
from app.knowledge.index.protocol import Index, SpaceKey
from app.knowledge.search import fusion
from app.knowledge.spaces import EmbeddingSpaces
from app.providers.base import EmbeddingModel, Vectors
from app.statuses import EmbeddingSpaceState

log = logging.getLogger(__name__)

_CHUNK_IDS = select(models.Chunk.id).where(models.Chunk.project_id == bindparam("project")).order_by(models.Chunk.id)
_DOCUMENT_IDS = select(models.Chunk.id, models.Chunk.document_id).where(
    models.Chunk.id.in_(bindparam("ids", expanding=True))
)
_TEXTS = select(models.Chunk.id, models.Chunk.text).where(models.Chunk.id.in_(bindparam("ids", expanding=True)))
_SET_RELEVANCE = update(models.EmbeddingSpace).where(models.EmbeddingSpace.id == bindparam("space"))
_COUNT_CHUNKS = (
    select(models.EmbeddingSpace, func.count(models.Chunk.id))
    .join(models.Chunk, models.Chunk.project_id == models.EmbeddingSpace.project_id)
    .where(models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE)
    .group_by(models.EmbeddingSpace.id)
)


@dataclass(slots=True)
class _Measurement:
    """A running measurement, and the project's current number of chunks."""

    chunks: int
    ended: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class _Sample:
    """Some chunks of a project, and the queries made from them."""

    chunk_ids: list[int]
    sentences: list[str]
    mixtures: list[str]


class RelevanceMeter:
    """Keeps the relevance of embedding spaces up to date."""

    def __init__(self, database: Database, index: Index, spaces: EmbeddingSpaces) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._measuring = dict[str, _Measurement]()  # by space

    async def measure_all(self) -> None:
        """Measure the spaces that an older version or a crash left unmeasured."""
        try:
            counted = await self._database.run_read(lambda db: db.execute(_COUNT_CHUNKS).all(), slow=True)
        except (errors.Unavailable, SQLAlchemyError) as error:
            log.warning("relevance was not measured: %s", error)
            return
        for space, chunks in counted:
            await self.measure_if_grown(space, chunks)

    async def measure_project(self, project_id: str) -> None:
        """Measure the space of a project, or wait until it is measured. Raises Unavailable."""
        counting = _COUNT_CHUNKS.where(models.EmbeddingSpace.project_id == project_id)
        for space, chunks in await self._database.run_read(lambda db: db.execute(counting).all(), slow=True):
            if (running := self._measuring.get(space.id)) is None:
                await self.measure_if_grown(space, chunks)
            else:
                running.chunks = chunks
                await running.ended.wait()

    async def measure_if_grown(self, space: models.EmbeddingSpace, chunks: int) -> None:
        """Measure a space if its project, which has `chunks` now, has changed a lot since the last measurement.

        If that fails, the old values remain until the next documents of the project.
        """
        if (running := self._measuring.get(space.id)) is not None:
            running.chunks = chunks
            return
        measured = space.measured_chunks
        running = self._measuring[space.id] = _Measurement(chunks)
        try:
            while relevance.is_out_of_date(measured, chunks := running.chunks):
                await self.measure_space(space, chunks)
                measured = chunks
        except (errors.AnswerError, errors.Unavailable, SQLAlchemyError) as error:
            log.warning(
                "relevance was not measured, project_id=%s: %s", global_ids.encode("Project", space.project_id), error
            )
        except Exception:  # a failed measurement must never stop the queue
            log.exception("relevance was not measured, project_id=%s", global_ids.encode("Project", space.project_id))
        finally:
            del self._measuring[space.id]
            running.ended.set()

    async def measure_space(self, space: models.EmbeddingSpace, chunks: int) -> None:
        """Measure a space of a project with `chunks`, whether the space is active or not. Raises an AnswerError."""
        found = await self._measure(space, chunks)
        values = {
            "space": space.id,
            "dense_weight": found.dense_weight,
            "threshold": found.threshold,
            "measured_chunks": chunks,
        }
        await self._database.run_write(lambda db: db.connection().execute(_SET_RELEVANCE, [values]))
        log.debug(
            "relevance measured, project_id=%s chunks=%d dense_weight=%.3f threshold=%.3f",
            global_ids.encode("Project", space.project_id),
            chunks,
            found.dense_weight,
            found.threshold,
        )

    async def _measure(self, space: models.EmbeddingSpace, chunks: int) -> relevance.Relevance:
        model = await self._spaces.find_model(space)
        sample = await self._database.run_read(partial(_draw_sample, space.project_id, chunks), slow=True)
        sentences, mixtures = await _embed_both(model, sample)
        compare = partial(self._compare, SpaceKey.from_row(space), sample, sentences, mixtures)
        return await self._database.run_read(compare, slow=True)

    def _compare(
        self, space: SpaceKey, sample: _Sample, sentences: Vectors, mixtures: Vectors, db: Session
    ) -> relevance.Relevance:
        """Compare the sentences with the sample, and the mixtures with all chunks. Rows have a norm of at most 1."""
        vectors = self._index.vectors
        stored, sampled = vectors.read_vectors(db, space, sample.chunk_ids)
        columns = {chunk_id: column for column, chunk_id in enumerate(stored)}
        # A chunk may have been removed meanwhile, and a sentence may have no vector.
        queries = [
            (chunk_id, sentence)
            for chunk_id, sentence in zip(sample.chunk_ids, sentences, strict=False)
            if chunk_id in columns and sentence.any()
        ]
        if not queries:
            return relevance.DEFAULT
        rows, _ = fusion.normalize_rows(numpy.stack([sentence for _, sentence in queries]))
        own = [chunk_id for chunk_id, _ in queries]
        separation = relevance.measure_separation(rows @ sampled.T, [columns[chunk_id] for chunk_id in own])
        near = vectors.find_nearest_to_each(db, space, rows, relevance.NEIGHBORS + 1)
        nearest = {chunk_id: [id for id in found if id != chunk_id] for chunk_id, found in zip(own, near, strict=True)}
        mixed, lengths = fusion.normalize_rows(mixtures)
        best = vectors.find_nearest_to_each(db, space, mixed, 1)
        noise = [length * max(found.values(), default=0.0) for length, found in zip(lengths, best, strict=True)]
        return relevance.calibrate(separation, noise, _share_of_same_document(db, nearest))


def _draw_sample(project_id: str, seed: int, db: Session) -> _Sample:
    """Draw random chunks; the same seed gives the same chunks."""
    connection = db.connection()
    ids = connection.execute(_CHUNK_IDS, {"project": project_id}).scalars().all()
    drawn = random.Random(seed).sample(ids, min(len(ids), relevance.MAX_SAMPLE))  # noqa: S311
    texts = {row.id: row.text for row in connection.execute(_TEXTS, {"ids": drawn})}
    sampled = [texts[id] for id in drawn[: relevance.MAX_QUERIES]]
    return _Sample(
        drawn,
        relevance.pick_sentences(sampled, seed),
        relevance.mix_words(list(texts.values()), relevance.MAX_QUERIES, seed),
    )


def _share_of_same_document(db: Session, nearest: Mapping[int, Sequence[int]]) -> float:
    """The share of nearest chunks that belong to the same document. `nearest`: chunk id → ids of its nearest chunks."""
    ids = {id for chunk_id, near in nearest.items() for id in (chunk_id, *near)}
    documents = {row.id: row.document_id for row in db.connection().execute(_DOCUMENT_IDS, {"ids": list(ids)})}
    # A chunk may be removed between two reads.
    known = [(documents[chunk_id], near) for chunk_id, near in nearest.items() if chunk_id in documents]
    same = [documents.get(id) == own for own, near in known for id in near]
    return sum(same) / len(same) if same else 0.0


async def _embed_both(model: EmbeddingModel, sample: _Sample) -> Sequence[Vectors]:
    """The vectors of the sentences, and those of the mixtures."""
    found = await model.embed_texts([*sample.sentences, *sample.mixtures], "query")
    return found[: len(sample.sentences)], found[len(sample.sentences) :]
