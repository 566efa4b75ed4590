"""Passages that were found in; results with their scores, and a way to the next page, out."""

import base64
import binascii
import re
from collections.abc import Sequence

import strawberry

from app import errors
from app.database import models
from app.graphql.highlights import Highlighter
from app.graphql.types.chat.answers import Notice
from app.graphql.types.chat.citations import Span
from app.graphql.types.connections import PageInfo
from app.graphql.types.documents import Chunk
from app.knowledge.search import hybrid


@strawberry.type(description="A search result: a chunk, and how it matches the query.")
class SearchResultEdge:
    cursor: str = strawberry.field(description="Cursor of this result; pass it as `after` to continue from here.")
    node: Chunk = strawberry.field(description="The chunk.")
    rank: int = strawberry.field(description="Rank among all results, from 1.")
    score: float = strawberry.field(description="Relevance, between 0 and 1, in every search mode. Higher is better.")
    vector_score: float | None = strawberry.field(
        description="Cosine similarity, between -1 and 1. Higher is better. Null if vectors were not compared."
    )
    lexical_score: float | None = strawberry.field(
        description="Full-text score as a share of the best possible one, between 0 and 1. Null if the words were "
        "not compared."
    )
    rerank_score: float | None = strawberry.field(
        description="Score of the reranker. Only the order of the results depends on it. Null if there was no "
        "reranking."
    )
    text: strawberry.Private[str]
    highlighter: strawberry.Private[Highlighter]

    @strawberry.field(
        description="Where the chunk's text contains words of the query: at most 40 places, for its first 64 terms."
    )
    async def highlights(self) -> list[Span]:
        # A coroutine, so that the executor can let others run between the results of a page.
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
    description="A page of search results, best first. All pages come from one ranking, which can shift when "
    "documents change."
)
class SearchResultConnection:
    edges: list[SearchResultEdge] = strawberry.field(description="The results of this page, with their scores.")
    page_info: PageInfo = strawberry.field(description="Information about this page.")
    took_ms: float = strawberry.field(description="Time the search took, in milliseconds.")
    notices: list[Notice] = strawberry.field(description="What could not be done as requested.")

    @strawberry.field(description="The chunks of this page, without their scores.")
    def nodes(self) -> list[Chunk]:
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
