"""Hybrid search: find a project's best passages by full text and vectors.

Two legs, words (full text) and meaning (vectors), are combined into one absolute score:
`w · max(0, cosine) + (1 - w) · bm25 / (its upper bound)`, with the project's weight w (`relevance`). It ranks as well
as min-max fusion and, being absolute, can be compared with a threshold.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app import errors, global_ids
from app.database.protocol import Database
from app.knowledge.index.protocol import Index
from app.knowledge.relevance import Relevance
from app.knowledge.search import filters, fusion, legs
from app.knowledge.search.legs import LegResult
from app.knowledge.search.passages import Passage, load_passages
from app.knowledge.search.queries import SearchQuery, SearchScope
from app.knowledge.search.query_vectors import EarlyVectors, QueryEmbedder
from app.knowledge.search.search_cache import ResultKey, SearchCache
from app.knowledge.spaces import (
    EmbeddingSpaces,
    SearchTarget,
    is_searched,
    read_index_version,
    read_search_target,
    relevance_from_row,
)
from app.observation import tracing
from app.providers.base import Vectors
from app.statuses import EmbeddingSpaceState

Result = TypeVar("Result")

log = logging.getLogger(__name__)

MAX_QUERY_LENGTH = 10_000
"""Characters of a search query."""
# A search restarts if the project's embedding model is switched meanwhile.
_MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Passages, best first, the project's threshold, and problems.

    `vector_problem` and `keyword_problem` say in a sentence why that leg failed and only the other one was searched.
    `pending_documents` documents are not ready yet. `has_documents`: whether there was any document to search.
    """

    passages: tuple[Passage, ...]
    threshold: float
    took_ms: float
    vector_problem: str | None = None
    keyword_problem: str | None = None
    pending_documents: int = 0
    has_documents: bool = True


@dataclass(frozen=True, slots=True)
class _OpenSearch:
    """Where to search; the passages, if they are cached; otherwise possibly the results of one leg or both."""

    target: SearchTarget
    scope: SearchScope | None = None
    key: ResultKey | None = None
    passages: tuple[Passage, ...] | None = None
    words: LegResult | None = None
    found: "_BothLegs | None" = None


@dataclass(frozen=True, slots=True)
class _BothLegs:
    """The passages, and the results of the legs that they come from, all of one version of the project's index."""

    passages: tuple[Passage, ...]
    words: LegResult
    nearest: LegResult


class HybridSearch:
    """Hybrid search in one project."""

    def __init__(self, database: Database, index: Index, spaces: EmbeddingSpaces, *, cache_seconds: float) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self.cache = SearchCache(cache_seconds)
        self._embedder = QueryEmbedder(spaces, self.cache)

    async def search_project(self, project_id: str, query: SearchQuery) -> SearchResult:
        """The `query.limit` best passages, without any threshold.

        If one leg of a hybrid search fails, only the other is searched, and the result says so. Raises
        RetrievalUnavailable if neither works.
        """
        with tracing.child_span("retrieval", attributes={"gen_ai.operation.name": "retrieval"}) as span:
            span.set_text("gen_ai.retrieval.query.text", lambda: query.text)
            for _ in range(_MAX_ATTEMPTS):
                found = await self._search_space(project_id, query)
                if found is not None:
                    span.set_attributes({"footnote.search.mode": query.mode, "footnote.chunks": len(found.passages)})
                    return found
        raise errors.RetrievalUnavailable("The embedding model of this project is being switched.")

    async def _search_space(self, project_id: str, query: SearchQuery) -> SearchResult | None:
        """Search with the project's embedding space; None if it was replaced meanwhile."""
        start = time.perf_counter()
        try:
            early = await self._embedder.embed_early(project_id, query)
            opened = await self._read(partial(self._open_search, project_id, query, early))
            target, found, problem = opened.target, opened.found, None
            self._embedder.remember_model(project_id, target.model)
            threshold, pending = target.relevance.threshold, target.pending_documents
            if opened.scope is None or opened.key is None or opened.passages is not None:
                return SearchResult(
                    opened.passages or (),
                    threshold,
                    _milliseconds_since(start),
                    pending_documents=pending,
                    has_documents=target.has_documents,
                )
            if found is None:
                found, problem = await self._search_legs(opened.scope, opened.key.dense_weight, opened, query)
            if found is None:
                return None
        except SQLAlchemyError as error:
            id = global_ids.encode("Project", project_id)
            log.warning("a project's index cannot be read, project_id=%s: %s", id, legs.describe_error(error))
            raise errors.RetrievalUnavailable("The index of this project cannot be read now.") from error
        problem = problem or found.nearest.problem
        if problem is None and found.words.problem is None:
            key = replace(opened.key, index_version=found.words.index_version)
            self.cache.keep_passages(key, found.passages)
        return SearchResult(
            found.passages, threshold, _milliseconds_since(start), problem, found.words.problem, pending
        )

    async def _search_legs(
        self, scope: SearchScope, dense_weight: float, opened: _OpenSearch, query: SearchQuery
    ) -> tuple[_BothLegs | None, str | None]:
        """Search both legs: their results (None if the space was replaced), and why the query has no vectors."""
        target, words, nearest = opened.target, opened.words, None
        if words is None:
            words, (vectors, problem, nearest) = await asyncio.gather(
                self._read(partial(self._search_words, scope, query)),
                self._search_meaning(target, scope, query),
            )
        else:
            vectors, problem = await self._embedder.embed_query(scope.project_id, target, query)
        fuse = partial(self._fuse_later, target, scope, query, vectors, words, nearest, dense_weight)
        return await self._read(fuse), problem

    async def _read(self, work: Callable[[Session], Result]) -> Result:
        """Run a search on a thread of the database and return its result."""
        return await self._database.run_read(tracing.carry_span(work), slow=True)

    async def relevance_by_project(self, project_ids: Sequence[str]) -> list[Relevance]:
        """The calibrated relevance of each project."""
        active = (
            next((space for space in spaces if space.state == EmbeddingSpaceState.ACTIVE), None)
            for spaces in await self._spaces.spaces_by_project(project_ids)
        )
        return [relevance_from_row(space) for space in active]

    def _open_search(self, project_id: str, query: SearchQuery, early: EarlyVectors | None, db: Session) -> _OpenSearch:
        """Find out where to search, and search at once unless both legs should be searched concurrently.

        Concurrent searches take more trips to the database, but are faster if vectors take as long as full text.
        """
        target = read_search_target(db, project_id, query.documents)
        if target.space is None or not target.has_documents:
            return _OpenSearch(target)
        among = None if query.documents is None else filters.filter_chunks(project_id, query.documents)
        scope = SearchScope(project_id, target.space, among)
        weight = target.relevance.dense_weight if query.dense_weight is None else query.dense_weight
        key = ResultKey(project_id, target.space.id, target.index_version, weight, query)
        passages = self.cache.find_passages(key)
        if passages is not None or (query.mode == "HYBRID" and not self._index.vectors.is_in_memory(target.space)):
            return _OpenSearch(target, scope, key, passages)
        words = legs.search_words(db, self._index.texts, scope, query, target.index_version)
        if words.problem is not None:  # in PostgreSQL, the transaction is aborted
            return _OpenSearch(target, scope, key, words=words)
        if query.mode == "LEXICAL":
            vectors = None
        elif early is not None and early.model == target.model:
            vectors = early.vectors
        else:
            return _OpenSearch(target, scope, key, words=words)
        return _OpenSearch(target, scope, key, found=self._fuse_legs(scope, query, vectors, words, None, weight, db))

    def _search_words(self, scope: SearchScope, query: SearchQuery, db: Session) -> LegResult:
        return legs.search_words(db, self._index.texts, scope, query)

    async def _search_meaning(
        self, target: SearchTarget, scope: SearchScope, query: SearchQuery
    ) -> tuple[Vectors | None, str | None, LegResult]:
        """Embed the query and search with its vectors: the vectors, or why there are none, and the results."""
        vectors, problem = await self._embedder.embed_query(scope.project_id, target, query)
        if vectors is None:
            return None, problem, LegResult(None, target.index_version)
        search = partial(
            legs.search_meaning, index=self._index.vectors, scope=scope, vectors=vectors, depth=query.depth
        )
        return vectors, problem, await self._read(search)

    def _fuse_later(
        self,
        target: SearchTarget,
        scope: SearchScope,
        query: SearchQuery,
        vectors: Vectors | None,
        words: LegResult,
        nearest: LegResult | None,
        dense_weight: float,
        db: Session,
    ) -> _BothLegs | None:
        """The best passages of both legs; None if the project's space was replaced.

        A leg that was searched before had its own transaction, so the project may have changed since, and its results
        may be gone. Then it is searched again in this transaction, which also reads the passages.
        """
        version = read_index_version(db, scope.project_id)
        if version != target.index_version and not is_searched(db, scope.space):
            return None
        if words.index_version != version:
            words = legs.search_words(db, self._index.texts, scope, query, version)
        if nearest is not None and nearest.index_version != version:
            nearest = None
        return self._fuse_legs(scope, query, vectors, words, nearest, dense_weight, db)

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
        """The best passages of both legs, searching by vectors if `nearest` is None."""
        if nearest is None:
            version = words.index_version
            nearest = legs.search_meaning(db, self._index.vectors, scope, vectors, query.depth, version)
        if words.scores is None and nearest.scores is None:
            raise errors.RetrievalUnavailable("Neither full text nor vectors of this project can be searched now.")
        lexical = words.scores or {}
        cosines = legs.add_missing_cosines(db, self._index.vectors, scope, vectors, lexical, nearest.scores)
        scores = fusion.fuse_scores(words.scores, cosines, dense_weight)
        best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[: query.limit]
        passages = load_passages(db, scope.project_id, best, scores, lexical, cosines or {})
        return _BothLegs(passages, words, nearest)


def _milliseconds_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
