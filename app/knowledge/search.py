"""A query in; a project's passages out, best first, each with scores in which higher is better.

Two legs, words (full text) and meaning (vectors), are fused by an absolute convex score:
`w · max(0, cosine) + (1 - w) · bm25 / (its upper bound)`, with the embedding model's weight w. It ranks as well as
min-max fusion, and being absolute it can be held against a threshold.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.database import models
from app.database.engine import Database
from app.knowledge.index import Index, Scope
from app.knowledge.spaces import Spaces
from app.providers import catalog
from app.providers.base import EmbeddingModel, Vectors

Mode = Literal["HYBRID", "LEXICAL", "VECTOR"]

# Candidates per leg: 20 instead cost 0.7 points of nDCG@10.
DEPTH = 100
# What the last two user turns weigh beside the question, per leg: R@5 of follow-ups 0.769 → 0.836 (wordllama hybrid).
EARLIER_WEIGHT = 0.2
# How often to search again when the project changes meanwhile, before it is done in one transaction.
_TRIES = 3

Legs = tuple[dict[int, float] | None, dict[int, float] | None]
"""Scores by words and cosines of the nearest; None for a leg that is not asked for."""


@dataclass(frozen=True, slots=True)
class Query:
    """What to search with: the question, and for a follow-up the user turns before it."""

    text: str
    earlier: str | None = None
    mode: Mode = "HYBRID"
    document_ids: tuple[str, ...] | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk found for a query. `score` in [0, 1] is the fused relevance, `vector_score` the cosine."""

    chunk_id: int
    document_id: str
    document_title: str
    source: str | None
    url: str | None
    position: int
    text: str
    heading: tuple[str, ...]
    page: int | None
    token_count: int
    score: float
    vector_score: float | None
    lexical_score: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """Passages best first, the threshold that suits the model, and what went less well than asked."""

    passages: tuple[Passage, ...]
    threshold: float
    took_ms: float
    embedder_error: str | None = None


class Search:
    """Hybrid search in one project."""

    def __init__(self, database: Database, index: Index, spaces: Spaces, default_model: str) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._default_model = default_model

    async def find(self, project_id: str, query: Query) -> Found:
        """The `query.limit` best passages, without any threshold.

        A failing embedder is no failure of a hybrid search: words alone answer, and `embedder_error` says so.
        """
        start = time.perf_counter()
        space, vector, problem = await self._embedded(project_id, query)
        known = catalog.embedding_model(space.model if space else self._default_model)
        if space is None:
            return Found((), known.threshold, _since(start))
        scope = Scope(project_id, space, query.document_ids)
        for _ in range(_TRIES):
            found = await self._side_by_side(scope, query, vector, known.dense_weight)
            if found is not None:
                break
        else:
            async with self._database.read() as db:
                legs = await self._legs(db, scope, query, vector)
                found = await self._fused(db, scope, query, vector, legs, known.dense_weight)
        return Found(found, known.threshold, _since(start), problem)

    async def _side_by_side(
        self, scope: Scope, query: Query, vector: Vectors | None, dense_weight: float
    ) -> tuple[Passage, ...] | None:
        """Both legs at once, each on a connection of its own; None when the project changed in between.

        Then they may have seen different versions of a document, and what they found may be gone.
        """

        async def lexical() -> tuple[int, dict[int, float] | None]:
            async with self._database.read() as db:
                version = await self._spaces.version(db, scope.project_id)
                return version, await self._lexical(db, scope, query)

        async def nearest() -> dict[int, float] | None:
            async with self._database.read() as db:
                return await self._nearest(db, scope, vector)

        (version, words), meaning = await asyncio.gather(lexical(), nearest())
        async with self._database.read() as db:
            if await self._spaces.version(db, scope.project_id) != version:
                return None
            return await self._fused(db, scope, query, vector, (words, meaning), dense_weight)

    async def _legs(self, db: AsyncSession, scope: Scope, query: Query, vector: Vectors | None) -> Legs:
        """Both legs in one transaction: slower, and always of one version."""
        return await self._lexical(db, scope, query), await self._nearest(db, scope, vector)

    async def _fused(
        self,
        db: AsyncSession,
        scope: Scope,
        query: Query,
        vector: Vectors | None,
        legs: Legs,
        dense_weight: float,
    ) -> tuple[Passage, ...]:
        lexical, nearest = legs
        cosines = await self._filled(db, scope, vector, lexical or {}, nearest)
        scores = fuse(lexical, cosines, dense_weight)
        best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[: query.limit]
        return await self._passages(db, best, scores, lexical or {}, cosines or {})

    async def thresholds(self, project_ids: Sequence[str]) -> list[float]:
        """For each project the least score that counts as found, which suits the model of its vectors."""
        active = (
            next((space.model for space in spaces if space.state == "ACTIVE"), self._default_model)
            for spaces in await self._spaces.of_projects(project_ids)
        )
        return [catalog.embedding_model(model).threshold for model in active]

    async def _embedded(
        self, project_id: str, query: Query
    ) -> tuple[models.EmbeddingSpace | None, Vectors | None, str | None]:
        """The space to search, the query's vector of length 1 or less, and why there is none if it failed."""
        try:
            opened = await self._spaces.open(project_id)
            if opened is None:
                return None, None, None
            space, model = opened
            vector = None if query.mode == "LEXICAL" else await _vector(model, query)
        except errors.AnswerError as error:
            if query.mode == "VECTOR":
                raise
            async with self._database.read() as db:
                return await self._spaces.active(db, project_id), None, error.message
        return space, vector, None

    async def _lexical(self, db: AsyncSession, scope: Scope, query: Query) -> dict[int, float] | None:
        if query.mode == "VECTOR":
            return None
        found = await self._index.lexical(db, scope, query.text, DEPTH)
        if query.earlier is None:
            return found
        earlier = await self._index.lexical(db, scope, query.earlier, DEPTH)
        return {
            chunk_id: (found.get(chunk_id, 0.0) + EARLIER_WEIGHT * earlier.get(chunk_id, 0.0)) / (1 + EARLIER_WEIGHT)
            for chunk_id in found.keys() | earlier.keys()
        }

    async def _nearest(self, db: AsyncSession, scope: Scope, vector: Vectors | None) -> dict[int, float] | None:
        """Cosines of the nearest chunks; none for a query without any word that the model knows."""
        if vector is None:
            return None
        length = float(numpy.linalg.norm(vector))
        if length == 0.0:
            return {}
        nearest = await self._index.nearest(db, scope, vector / length, DEPTH)
        return {chunk_id: cosine * length for chunk_id, cosine in nearest.items()}

    async def _filled(
        self,
        db: AsyncSession,
        scope: Scope,
        vector: Vectors | None,
        lexical: Mapping[int, float],
        nearest: dict[int, float] | None,
    ) -> dict[int, float] | None:
        """`nearest` with the cosines of what words found: a missing one would count as unlike."""
        missing = [chunk_id for chunk_id in lexical if chunk_id not in (nearest or {})]
        if vector is None or not nearest or not missing:
            return nearest
        length = float(numpy.linalg.norm(vector))
        cosines = await self._index.cosines(db, scope, vector / length, missing)
        return nearest | {chunk_id: cosine * length for chunk_id, cosine in cosines.items()}

    async def _passages(
        self,
        db: AsyncSession,
        chunk_ids: Sequence[int],
        scores: Mapping[int, float],
        lexical: Mapping[int, float],
        cosines: Mapping[int, float],
    ) -> tuple[Passage, ...]:
        rows = await db.execute(
            select(models.Chunk, models.Document.title, models.Document.source, models.Document.url)
            .join(models.Document, models.Document.id == models.Chunk.document_id)
            .where(models.Chunk.id.in_(chunk_ids))
        )
        found = {
            chunk.id: Passage(
                chunk_id=chunk.id,
                document_id=chunk.document_id,
                document_title=title,
                source=source,
                url=url,
                position=chunk.position,
                text=chunk.text,
                heading=tuple(chunk.heading),
                page=chunk.page,
                token_count=chunk.token_count,
                score=scores[chunk.id],
                vector_score=cosines.get(chunk.id),
                lexical_score=lexical.get(chunk.id),
            )
            for chunk, title, source, url in rows
        }
        return tuple(found[chunk_id] for chunk_id in chunk_ids if chunk_id in found)


async def _vector(model: EmbeddingModel, query: Query) -> Vectors:
    """Cosines are linear in the query: one search with the weighted sum of two gives the sum of both searches."""
    if query.earlier is None:
        return await model.embed([query.text], "query")
    vectors = await model.embed([query.text, query.earlier], "query")
    combined = (vectors[:1] + EARLIER_WEIGHT * vectors[1:]) / (1 + EARLIER_WEIGHT)
    return combined.astype(numpy.float32)


def fuse(
    lexical: Mapping[int, float] | None, cosines: Mapping[int, float] | None, dense_weight: float
) -> dict[int, float]:
    """Fused scores in [0, 1] of every chunk that a leg found; with one leg missing (None) the other counts whole."""
    if cosines is None:
        return dict(lexical or {})
    if lexical is None:
        return {chunk_id: _clamp(cosine) for chunk_id, cosine in cosines.items()}
    return {
        chunk_id: dense_weight * _clamp(cosines.get(chunk_id, 0.0)) + (1 - dense_weight) * lexical.get(chunk_id, 0.0)
        for chunk_id in lexical.keys() | cosines.keys()
    }


def _clamp(cosine: float) -> float:
    return min(1.0, max(0.0, cosine))


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
