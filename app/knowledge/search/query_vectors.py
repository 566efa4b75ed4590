"""Embed search queries: before the search if that costs nothing, otherwise once the project's model is known."""

from dataclasses import dataclass

import numpy

from app import errors
from app.knowledge.search import fusion
from app.knowledge.search.queries import SearchQuery
from app.knowledge.search.search_cache import SearchCache
from app.knowledge.spaces import EmbeddingSpaces, SearchTarget
from app.providers.base import EmbeddingModel, Vectors

# The most projects whose embedding models are remembered.
_MAX_PROJECTS = 10_000


@dataclass(frozen=True, slots=True)
class EarlyVectors:
    """The query's vectors, made with the model of the project's last search; it may have another model by now."""

    model: str
    vectors: Vectors


class QueryEmbedder:
    """Embeds queries: one vector of length 1 or less per wording."""

    def __init__(self, spaces: EmbeddingSpaces, cache: SearchCache) -> None:
        self._spaces = spaces
        self._cache = cache
        self._last_models: dict[str, str] = {}

    def remember_model(self, project_id: str, model: str | None) -> None:
        """Remember the model that a project is searched with."""
        if model is None:
            return
        if len(self._last_models) >= _MAX_PROJECTS:
            self._last_models.clear()
        self._last_models[project_id] = model

    async def embed_early(self, project_id: str, query: SearchQuery) -> EarlyVectors | None:
        """Embed the query with the model of the project's last search, if that is immediate; otherwise None.

        With these vectors, a search needs only one trip to the database.
        """
        name = self._last_models.get(project_id)
        if name is None or query.mode == "LEXICAL":
            return None
        try:
            model = self._spaces.embedding_model(name, local_only=True)
            return EarlyVectors(name, await _embed_texts(model, query)) if model.is_immediate else None
        except errors.AnswerError:  # the search will call the model again and report its failure
            return None

    async def embed_query(
        self, project_id: str, target: SearchTarget, query: SearchQuery
    ) -> tuple[Vectors | None, str | None]:
        """The vectors, and why there are none if the model failed."""
        if target.model is None or target.space is None or query.mode == "LEXICAL":
            return None, None
        try:
            model = self._spaces.embedding_model(target.model, target.local_only, target.space.dimensions)
            if model.is_immediate:
                return await _embed_texts(model, query), None
            vectors = self._cache.find_vectors(project_id, target.space.id, query)
            if vectors is None:
                vectors = await _embed_texts(model, query)
                self._cache.keep_vectors(target.space.id, query, vectors)
            return vectors, None
        except errors.AnswerError as error:
            if query.mode == "VECTOR":
                message = f"Only vectors should be searched, but the embedding model failed. {error.message}"
                raise errors.RetrievalUnavailable(message) from error
            return None, f"The embedding model failed. {error.message}"


async def _embed_texts(model: EmbeddingModel, query: SearchQuery) -> Vectors:
    """A row for each wording of the question, and one for each wording's mean with the rewriting (see `lift_scores`).

    Cosines are linear in the query: searching with a weighted sum of vectors gives the weighted sum of the scores.
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
