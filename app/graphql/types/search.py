"""Passages that were found in; results with their scores, and a way to the next page, out."""

import base64
import binascii
import re
from collections.abc import Sequence

import strawberry

from app import errors
from app.database import models
from app.graphql.connections import PageInfo
from app.graphql.highlights import Highlighter
from app.graphql.types.chat.answers import Notice
from app.graphql.types.chat.citations import Span
from app.graphql.types.documents import Chunk
from app.knowledge.search import hybrid


@strawberry.type(description="A chunk that was found; facts about the match live here, not on the chunk.")
class SearchResultEdge:
    """See its description."""

    cursor: str = strawberry.field(description="Where the result stands, for `after`.")
    node: Chunk = strawberry.field(description="The chunk.")
    rank: int = strawberry.field(description="Its place among all results, from 1.")
    score: float = strawberry.field(description="Fused relevance in [0, 1]; higher is better, in every mode.")
    vector_score: float | None = strawberry.field(description="Cosine similarity in [-1, 1]; higher is better.")
    lexical_score: float | None = strawberry.field(description="Share of the best possible full-text score, in [0, 1].")
    rerank_score: float | None = strawberry.field(description="What the reranker said; it only ranks.")
    text: strawberry.Private[str]
    highlighter: strawberry.Private[Highlighter]

    @strawberry.field(
        description="Where the chunk's text has words of the query (of its first 64 terms); the first 40 places."
    )
    async def highlights(self) -> list[Span]:
        """See its description; waited for, so that a page of them is told in pieces (`executor`)."""
        return [Span.from_model(span) for span in self.highlighter.spans(self.text)]

    @classmethod
    def from_model(
        cls, passage: hybrid.Passage, row: models.Chunk, rank: int, highlighter: Highlighter
    ) -> "SearchResultEdge":
        """Of a passage and its row."""
        return cls(
            cursor=cursor(rank),
            node=Chunk.from_model(row),
            rank=rank,
            score=passage.score,
            vector_score=passage.vector_score,
            lexical_score=passage.lexical_score,
            rerank_score=passage.rerank_score,
            text=row.text,
            highlighter=highlighter,
        )


@strawberry.type(
    description="A page of what was found, best first. Pages are cut from one ranking, which a change of documents may "
    "shift."
)
class SearchResultConnection:
    """See its description."""

    edges: list[SearchResultEdge] = strawberry.field(description="The results with their scores.")
    page_info: PageInfo = strawberry.field(description="Where this page stands.")
    took_ms: float = strawberry.field(description="Milliseconds that the search took.")
    notices: list[Notice] = strawberry.field(description="What went less well than asked.")

    @strawberry.field(description="The chunks without their scores.")
    def nodes(self) -> list[Chunk]:
        """See its description."""
        return [edge.node for edge in self.edges]

    @classmethod
    def from_model(
        cls, edges: Sequence[SearchResultEdge], *, start: int, more: bool, took_ms: float, notices: list[Notice]
    ) -> "SearchResultConnection":
        """Of the results after the first `start`."""
        info = PageInfo(
            has_next_page=more,
            has_previous_page=start > 0,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        )
        return cls(edges=list(edges), page_info=info, took_ms=took_ms, notices=notices)


def cursor(rank: int) -> str:
    """Of the result with this rank."""
    return base64.urlsafe_b64encode(f"result:{rank}".encode()).decode()


def rank_of(after: str | None) -> int:
    """The rank that a cursor tells; 0 without one. Raises BadUserInput for what is no cursor of a search."""
    if after is None:
        return 0
    try:
        match = re.fullmatch("result:([0-9]{1,6})", base64.urlsafe_b64decode(after).decode("ascii"))
    except (ValueError, binascii.Error):
        match = None
    if match is None:
        raise errors.BadUserInput("after", "`after` is not a cursor of this list.")
    return int(match[1])
