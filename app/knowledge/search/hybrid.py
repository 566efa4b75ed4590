"""Hybrid search: find a project's best passages by full text and vectors.

Two legs, words (full text) and meaning (vectors), are combined into one absolute score:
`w · max(0, cosine) + (1 - w) · bm25 / (its upper bound)`, with the embedding model's weight w. It ranks as well as
min-max fusion and, being absolute, can be compared with a threshold.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app import errors
from app.database.protocol import Database
from app.knowledge.index.protocol import Index
from app.knowledge.search import fusion, legs
from app.knowledge.search.legs import LegResult
from app.knowledge.search.passages import Passage, load_passages
from app.knowledge.search.queries import SearchQuery, SearchScope
from app.knowledge.spaces import EmbeddingSpaces, SearchTarget, read_index_version, read_search_target
from app.providers import catalog
from app.providers.base import EmbeddingModel, Vectors
from app.statuses import EmbeddingSpaceState

log = logging.getLogger(__name__)

MAX_QUERY_LENGTH = 10_000
"""Characters of a search query."""


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


@dataclass(frozen=True, slots=True)
class _BothLegs:
    """The passages, and the results of the legs that they come from, all of one version of the project's index."""

    passages: tuple[Passage, ...]
    words: LegResult
    nearest: LegResult


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
            target, words = await self._database.run_read(partial(self._open_search, project_id, query), slow=True)
            known = catalog.find_embedding_model(target.model or self._default_model)
            pending = target.pending_documents
            if target.space is None:
                return SearchResult((), known.threshold, _milliseconds_since(start), pending_documents=pending)
            scope = SearchScope(project_id, target.space, query.document_ids)
            if words is None:
                words, (vectors, problem, nearest) = await asyncio.gather(
                    self._database.run_read(partial(self._search_words, scope, query), slow=True),
                    self._search_meaning(target, scope, query),
                )
            else:
                nearest, (vectors, problem) = None, await self._embed_query(target, query)
            fuse = partial(self._fuse_legs, scope, query, vectors, words, nearest, known.dense_weight)
            found = await self._database.run_read(fuse, slow=True)
        except SQLAlchemyError as error:
            log.warning("a project's index cannot be read, project=%s: %s", project_id, legs.describe_error(error))
            raise errors.RetrievalUnavailable("The index of this project cannot be read now.") from error
        return SearchResult(
            found.passages,
            known.threshold,
            _milliseconds_since(start),
            problem or found.nearest.problem,
            found.words.problem,
            pending,
        )

    async def default_thresholds(self, project_ids: Sequence[str]) -> list[float]:
        """For each project, the lowest score that counts as found, which depends on its embedding model."""
        active = (
            next((space.model for space in spaces if space.state == EmbeddingSpaceState.ACTIVE), self._default_model)
            for spaces in await self._spaces.spaces_by_project(project_ids)
        )
        return [catalog.find_embedding_model(model).threshold for model in active]

    def _open_search(self, project_id: str, query: SearchQuery, db: Session) -> tuple[SearchTarget, LegResult | None]:
        """What to search, and what full text finds; None where both legs are to be searched side by side.

        That is faster, though it takes two trips to the database more, where vectors take as long as full text does.
        """
        target = read_search_target(db, project_id, query.document_ids)
        vectors = self._index.vectors
        if target.space is None or (query.mode == "HYBRID" and not vectors.is_in_memory(target.space)):
            return target, None
        scope = SearchScope(project_id, target.space, query.document_ids)
        return target, legs.search_words(db, self._index.texts, scope, query, target.index_version)

    def _search_words(self, scope: SearchScope, query: SearchQuery, db: Session) -> LegResult:
        return legs.search_words(db, self._index.texts, scope, query)

    async def _search_meaning(
        self, target: SearchTarget, scope: SearchScope, query: SearchQuery
    ) -> tuple[Vectors | None, str | None, LegResult]:
        """The query's vectors, or why there are none, and what they found."""
        vectors, problem = await self._embed_query(target, query)
        if vectors is None:
            return None, problem, LegResult(None, target.index_version)
        search = partial(
            legs.search_meaning, index=self._index.vectors, scope=scope, vectors=vectors, depth=query.depth
        )
        return vectors, problem, await self._database.run_read(search, slow=True)

    async def _embed_query(self, target: SearchTarget, query: SearchQuery) -> tuple[Vectors | None, str | None]:
        """A vector of length 1 or less per wording, and why there is none if it failed."""
        if target.model is None or query.mode == "LEXICAL":
            return None, None
        try:
            return await _query_vectors(self._spaces.embedding_model(target.model, target.local_only), query), None
        except errors.AnswerError as error:
            if query.mode == "VECTOR":
                message = f"Only vectors should be searched, but the embedding model failed. {error.message}"
                raise errors.RetrievalUnavailable(message) from error
            return None, f"The embedding model failed. {error.message}"

    def _fuse_legs(
        self,
        scope: SearchScope,
        query: SearchQuery,
        vectors: Vectors | None,
        words: LegResult,
        nearest: LegResult | None,
        dense_weight: float,
        db: Session,
    ) -> _BothLegs:
        """The best passages of both legs.

        A leg that was searched before had a transaction of its own, so the project may have changed meanwhile, and what
        the leg found may be gone. Then it is searched again in this transaction, which also reads the passages.
        """
        version = read_index_version(db, scope.project_id)
        if words.index_version != version:
            words = legs.search_words(db, self._index.texts, scope, query, version)
        if nearest is None or nearest.index_version != version:
            nearest = legs.search_meaning(db, self._index.vectors, scope, vectors, query.depth, version)
        if words.scores is None and nearest.scores is None:
            raise errors.RetrievalUnavailable("Neither full text nor vectors of this project can be searched now.")
        lexical = words.scores or {}
        cosines = legs.add_missing_cosines(db, self._index.vectors, scope, vectors, lexical, nearest.scores)
        scores = fusion.fuse_scores(words.scores, cosines, dense_weight)
        best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[: query.limit]
        passages = load_passages(db, scope.project_id, best, scores, lexical, cosines or {})
        return _BothLegs(passages, words, nearest)


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
