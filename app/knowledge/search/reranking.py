"""Rank passages with the reranker, if one is configured."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app import errors
from app.knowledge import parsed_documents
from app.knowledge.search.passages import Passage
from app.providers.base import Reranker

# A reranker reads each passage together with the query; passages that rank lower would rarely reach the top.
MAX_CANDIDATES = 50


@dataclass(frozen=True, slots=True)
class RankedPassages:
    """Passages in their final order. `problem`: why a configured reranker could not rank them, as a sentence."""

    passages: tuple[Passage, ...]
    problem: str | None = None


class PassageReranker:
    """The reranker of this server, if it has one. Its scores only rank; they cannot be compared with a threshold."""

    def __init__(self, reranker: Reranker | None) -> None:
        self._reranker = reranker

    @property
    def is_available(self) -> bool:
        """Whether a reranker is configured; it may still fail to answer."""
        return self._reranker is not None

    async def rerank_passages(self, query: str, passages: Sequence[Passage], *, local_only: bool) -> RankedPassages:
        """The first MAX_CANDIDATES in the reranker's order, with `rerank_score`; the others follow unchanged."""
        candidates = tuple(passages)
        reranker = self._reranker
        if reranker is None or len(candidates) < 2:
            return RankedPassages(candidates)
        if local_only and not reranker.is_local:
            return RankedPassages(candidates, "This project allows local models only, but the reranker is not one.")
        head = candidates[:MAX_CANDIDATES]
        try:
            scores = await reranker.rerank(query, [_reranker_text(passage) for passage in head])
        except errors.AnswerError as error:
            return RankedPassages(candidates, error.message)
        scored = [replace(passage, rerank_score=score) for passage, score in zip(head, scores, strict=True)]
        ranked = sorted(scored, key=lambda passage: -(passage.rerank_score or 0.0))
        return RankedPassages((*ranked, *candidates[MAX_CANDIDATES:]))

    async def close(self) -> None:
        """Close the reranker's connections."""
        if self._reranker is not None:
            await self._reranker.close()


def _reranker_text(passage: Passage) -> str:
    """The text for the reranker, with headings, as both legs search it."""
    return "\n".join((parsed_documents.join_headings(passage.document_title, passage.heading), passage.text))
