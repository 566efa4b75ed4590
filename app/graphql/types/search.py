"""Search results and their pages."""

import base64
import re
from collections.abc import Sequence

import strawberry

from app import errors
from app.database import models
from app.graphql.types.chat.answers import NoticeType
from app.graphql.types.chat.citations import SpanType
from app.graphql.types.connections import PageInfoType
from app.graphql.types.documents import ChunkType
from app.knowledge.search.highlights import Highlighter
from app.knowledge.search.passages import Passage


@strawberry.type(name="SearchResultEdge", description="A search result: a chunk, and how it matches the query.")
class SearchResultEdgeType:
    cursor: str = strawberry.field(description="Cursor of this result; pass it as `after` to continue from here.")
    node: ChunkType = strawberry.field(description="The chunk.")
    rank: int = strawberry.field(description="Rank among all results, from 1.")
    score: float = strawberry.field(description="Relevance, between 0 and 1, in every search mode. Higher is better.")
    vector_score: float | None = strawberry.field(
        description="Cosine similarity, between -1 and 1. Higher is better. Null if vectors were not compared."
    )
    lexical_score: float | None = strawberry.field(
        description="Full-text score as a fraction of the highest possible score, between 0 and 1. Null "
        "if the words were not compared."
    )
    rerank_score: float | None = strawberry.field(
        description="Score given by the reranker. Used only to order the results. Null if there was no reranking."
    )
    text: strawberry.Private[str]
    highlighter: strawberry.Private[Highlighter]

    @strawberry.field(
        description="Spans of the chunk's text that match the query. At most 40, considering only the "
        "query's first 64 terms."
    )
    async def highlights(self) -> list[SpanType]:
        # A coroutine, so that the executor can let others run between the results of a page.
        return [SpanType.from_model(span) for span in self.highlighter.find_spans(self.text)]

    @classmethod
    def from_model(
        cls, passage: Passage, row: models.Chunk, rank: int, highlighter: Highlighter
    ) -> "SearchResultEdgeType":
        return cls(
            cursor=result_cursor(rank),
            node=ChunkType.from_model(row),
            rank=rank,
            score=passage.score,
            vector_score=passage.vector_score,
            lexical_score=passage.lexical_score,
            rerank_score=passage.rerank_score,
            text=row.text,
            highlighter=highlighter,
        )


@strawberry.type(
    name="SearchResultConnection",
    description="A page of search results, best first. All pages come from one ranking, which can shift when "
    "documents change.",
)
class SearchResultConnectionType:
    edges: list[SearchResultEdgeType] = strawberry.field(description="The results of this page, with their scores.")
    page_info: PageInfoType = strawberry.field(description="Information about this page.")
    took_ms: float = strawberry.field(description="Time the search took, in milliseconds.")
    notices: list[NoticeType] = strawberry.field(description="What could not be done as requested.")

    @strawberry.field(description="The chunks of this page, without their scores.")
    def nodes(self) -> list[ChunkType]:
        return [edge.node for edge in self.edges]

    @classmethod
    def from_model(
        cls, edges: Sequence[SearchResultEdgeType], *, start: int, more: bool, took_ms: float, notices: list[NoticeType]
    ) -> "SearchResultConnectionType":
        """A page of the results after the first `start`."""
        info = PageInfoType(
            has_next_page=more,
            has_previous_page=start > 0,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        )
        return cls(edges=list(edges), page_info=info, took_ms=took_ms, notices=notices)


def result_cursor(rank: int) -> str:
    """The cursor of the result with this rank."""
    return base64.urlsafe_b64encode(f"result:{rank}".encode()).decode()


def rank_of_cursor(after: str | None) -> int:
    """The rank that a cursor stands for; 0 without one. Raises BadUserInput if it is not a cursor of a search."""
    if after is None:
        return 0
    try:
        match = re.fullmatch("result:([0-9]{1,6})", base64.urlsafe_b64decode(after).decode("ascii"))
    except ValueError:
        match = None
    if match is None:
        raise errors.BadUserInput("after", "`after` is not a cursor of this list.")
    return int(match[1])
