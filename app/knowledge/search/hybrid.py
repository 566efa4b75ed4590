"""Hybrid search: find a project's best passages by full text and vectors.

Two legs, words (full text) and meaning (vectors), are combined into one absolute score:
`w · max(0, cosine) + (1 - w) · bm25 / (its upper bound)`, with the embedding model's weight w. It ranks as well as
min-max fusion and, being absolute, can be compared with a threshold.
"""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.answer_options import SearchMode
from app.database import models
from app.database.protocol import Database
from app.knowledge.index.protocol import Index, SpaceKey
from app.knowledge.search import fusion, question
from app.knowledge.search.legs import Leg, LegResult, SearchScope, describe_error, try_leg
from app.knowledge.spaces import EmbeddingSpaces, SearchTarget
from app.providers import catalog
from app.providers.base import EmbeddingModel, Vectors
from app.statuses import EmbeddingSpaceState

log = logging.getLogger(__name__)

# Candidates per leg by default; with only 20, nDCG@10 is 0.7 points lower.
DEFAULT_DEPTH = 100
MAX_QUERY_LENGTH = 10_000
"""Characters of a search query."""
# How often to search again when the project changes meanwhile, before searching in one transaction.
_MAX_TRIES = 3


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to search with: the question, and for a follow-up the user turns before it.

    `rewritten` is another wording of the same question; per leg it can lift a passage's score (`fusion.lift_scores`).
    `depth` is how many candidates each leg has.
    """

    text: str
    earlier: str | None = None
    rewritten: str | None = None
    mode: SearchMode = "HYBRID"
    document_ids: tuple[str, ...] | None = None
    limit: int = 50
    depth: int = DEFAULT_DEPTH

    @property
    def wordings(self) -> tuple[str, ...]:
        """The question, and of a longer text the part that asks: the better score counts (`fusion.best_scores`)."""
        part = question.find_question(self.text)
        return (self.text,) if part is None else (self.text, part)


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
    rerank_score: float | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first, the threshold that suits the model, and what went wrong.

    `vector_problem` and `keyword_problem` say in a sentence why the other leg was searched alone. `pending_documents`
    of those to be searched are not ready yet.
    """

    passages: tuple[Passage, ...]
    threshold: float
    took_ms: float
    vector_problem: str | None = None
    keyword_problem: str | None = None
    pending_documents: int = 0


class HybridSearch:
    """Hybrid search in one project."""

    def __init__(self, database: Database, index: Index, spaces: EmbeddingSpaces, default_model: str) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._default_model = default_model

    async def search_project(self, project_id: str, query: SearchQuery) -> SearchResult:
        """The `query.limit` best passages, without any threshold.

        If one leg of a hybrid search fails, the other answers, and the result says so. Raises
        RetrievalUnavailable when nothing is left to search with.
        """
        start = time.perf_counter()
        try:
            searched = await self._spaces.search_target(project_id, query.document_ids)
            space, pending = searched.space, searched.pending_documents
            vectors, problem = await self._embed_query(searched, query)
            known = catalog.find_embedding_model(space.model if space else self._default_model)
            if space is None:
                return SearchResult((), known.threshold, _milliseconds_since(start), pending_documents=pending)
            scope = SearchScope(project_id, SpaceKey.of_row(space), query.document_ids)
            passages, words, nearest = await self._search_both_legs(scope, query, vectors, known.dense_weight)
        except SQLAlchemyError as error:
            log.warning("a project's index cannot be read, project=%s: %s", project_id, describe_error(error))
            raise errors.RetrievalUnavailable("The index of this project cannot be read now.") from error
        return SearchResult(
            passages, known.threshold, _milliseconds_since(start), problem or nearest.problem, words.problem, pending
        )

    async def _search_both_legs(
        self, scope: SearchScope, query: SearchQuery, vectors: Vectors | None, dense_weight: float
    ) -> tuple[tuple[Passage, ...], LegResult, LegResult]:
        """Passages and the results of both legs, which see the same version of the project.

        In parallel, each leg has its own connection, so the two may see different versions, and what one found may be
        gone. Then both search again, and finally in one transaction, which is slower but always sees one version.
        """
        for _ in range(_MAX_TRIES):
            version, words, nearest = await self._search_in_parallel(scope, query, vectors)
            async with self._database.read() as db:
                if await self._spaces.index_version(db, scope.project_id) == version:
                    passages = await self._fuse_legs(db, scope, vectors, words, nearest, dense_weight, query.limit)
                    return passages, words, nearest
        async with self._database.read() as db:
            words = await try_leg(self._search_text(db, scope, query))
            nearest = await try_leg(self._search_vectors(db, scope, vectors, query.depth))
            passages = await self._fuse_legs(db, scope, vectors, words, nearest, dense_weight, query.limit)
            return passages, words, nearest

    async def _search_in_parallel(
        self, scope: SearchScope, query: SearchQuery, vectors: Vectors | None
    ) -> tuple[int, LegResult, LegResult]:
        async def lexical() -> tuple[int, LegResult]:
            async with self._database.read() as db:
                version = await self._spaces.index_version(db, scope.project_id)
                return version, await try_leg(self._search_text(db, scope, query))

        async def nearest() -> LegResult:
            async with self._database.read() as db:
                return await try_leg(self._search_vectors(db, scope, vectors, query.depth))

        (version, words), meaning = await asyncio.gather(lexical(), nearest())
        return version, words, meaning

    async def _fuse_legs(
        self,
        db: AsyncSession,
        scope: SearchScope,
        vectors: Vectors | None,
        words: LegResult,
        nearest: LegResult,
        dense_weight: float,
        limit: int,
    ) -> tuple[Passage, ...]:
        if words.scores is None and nearest.scores is None:
            raise errors.RetrievalUnavailable("Neither full text nor vectors of this project can be searched now.")
        lexical = words.scores or {}
        cosines = await self._add_missing_cosines(db, scope, vectors, lexical, nearest.scores)
        scores = fusion.fuse_scores(words.scores, cosines, dense_weight)
        best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[:limit]
        return await self._load_passages(db, scope, best, scores, lexical, cosines or {})

    async def default_thresholds(self, project_ids: Sequence[str]) -> list[float]:
        """For each project, the lowest score that counts as found, which depends on its embedding model."""
        active = (
            next((space.model for space in spaces if space.state == EmbeddingSpaceState.ACTIVE), self._default_model)
            for spaces in await self._spaces.spaces_by_project(project_ids)
        )
        return [catalog.find_embedding_model(model).threshold for model in active]

    async def _embed_query(self, searched: SearchTarget, query: SearchQuery) -> tuple[Vectors | None, str | None]:
        """A vector of length 1 or less per wording, and why there is none if it failed."""
        if searched.space is None or query.mode == "LEXICAL":
            return None, None
        try:
            return await _query_vectors(self._spaces.embedding_model(searched.space, searched.local_only), query), None
        except errors.AnswerError as error:
            if query.mode == "VECTOR":
                message = f"Only vectors should be searched, but the embedding model failed. {error.message}"
                raise errors.RetrievalUnavailable(message) from error
            return None, f"The embedding model failed. {error.message}"

    async def _search_text(self, db: AsyncSession, scope: SearchScope, query: SearchQuery) -> Leg:
        if query.mode == "VECTOR":
            return None
        search = partial(self._index.texts.search_texts, db, scope.project_id)
        found = fusion.best_scores([await search(text, query.depth, scope.document_ids) for text in query.wordings])
        if query.earlier is not None:
            found = fusion.add_earlier_turns(found, await search(query.earlier, query.depth, scope.document_ids))
        if query.rewritten is not None:
            found = fusion.lift_scores(found, await search(query.rewritten, query.depth, scope.document_ids))
        return found

    async def _search_vectors(self, db: AsyncSession, scope: SearchScope, vectors: Vectors | None, depth: int) -> Leg:
        """Cosines of the chunks nearest to any wording; none if the model knows no word of the query."""
        if vectors is None:
            return None
        search = partial(self._index.vectors.find_nearest, db, scope.space)
        return fusion.best_scores(
            [
                fusion.scale_cosines(await search(row, depth, scope.document_ids), length)
                for row, length in fusion.unit_rows(vectors)
            ]
        )

    async def _add_missing_cosines(
        self, db: AsyncSession, scope: SearchScope, vectors: Vectors | None, lexical: Mapping[int, float], nearest: Leg
    ) -> Leg:
        """`nearest` with the cosines of the other chunks found: a missing cosine would count as 0."""
        if vectors is None or not nearest:
            return nearest
        wanted = [chunk_id for chunk_id in lexical if chunk_id not in nearest]
        if not wanted:
            return nearest
        found = [
            fusion.scale_cosines(await self._index.vectors.score_chunks(db, scope.space, row, wanted), length)
            for row, length in fusion.unit_rows(vectors)
        ]
        return fusion.best_scores([nearest, *found])

    async def _load_passages(
        self,
        db: AsyncSession,
        scope: SearchScope,
        chunk_ids: Sequence[int],
        scores: Mapping[int, float],
        lexical: Mapping[int, float],
        cosines: Mapping[int, float],
    ) -> tuple[Passage, ...]:
        rows = await db.execute(
            select(models.Chunk, models.Document.title, models.Document.source, models.Document.url)
            .join(models.Document, models.Document.id == models.Chunk.document_id)
            .where(models.Chunk.id.in_(chunk_ids), models.Chunk.project_id == scope.project_id)
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


async def _query_vectors(model: EmbeddingModel, query: SearchQuery) -> Vectors:
    """A row for each wording of the question, and one for its mean with the rewriting (`fusion.lift_scores`).

    Cosines are linear in the query: one search with the weighted sum of two gives the sum of both searches.
    """
    wordings = query.wordings
    others = [text for text in (query.earlier, query.rewritten) if text is not None]
    found = await model.embed_texts([*wordings, *others], "query")
    rows = found[: len(wordings)]
    if query.earlier is not None:
        rows = (rows + fusion.EARLIER_WEIGHT * found[len(wordings)]) / (1 + fusion.EARLIER_WEIGHT)
    if query.rewritten is not None:
        rows = numpy.concatenate([rows, (rows + found[-1:]) / 2])
    return rows.astype(numpy.float32)


def _milliseconds_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
