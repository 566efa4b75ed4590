"""Messages found by a search."""

import strawberry

from app.chat.message_search.search import FoundMessage
from app.database import pages
from app.graphql.types.chat.citations import SpanType
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.connections import PageInfoType


@strawberry.type(name="FoundMessageEdge", description="A message that contains all words of the query.")
class FoundMessageEdgeType:
    cursor: str = strawberry.field(description="Cursor of this message; pass it as `after` to continue from here.")
    node: MessageType = strawberry.field(description="The message.")
    snippet: str = strawberry.field(
        description="The part of its content around the first word found, at most 240 characters."
    )
    snippet_span: SpanType = strawberry.field(description="Position of the snippet in the message's content.")
    highlights: list[SpanType] = strawberry.field(
        description="Spans of the snippet that match the query. At most 40, considering only the query's first 64 "
        "terms."
    )

    @classmethod
    def from_model(cls, found: FoundMessage, cursor: str) -> "FoundMessageEdgeType":
        return cls(
            cursor=cursor,
            node=MessageType.from_model(found.row),
            snippet=found.snippet,
            snippet_span=SpanType.from_model(found.span),
            highlights=[SpanType.from_model(span) for span in found.highlights],
        )


@strawberry.type(name="FoundMessageConnection", description="A page of messages found by a search, newest first.")
class FoundMessageConnectionType:
    edges: list[FoundMessageEdgeType] = strawberry.field(description="The messages of this page, with snippets.")
    page_info: PageInfoType = strawberry.field(description="Information about this page.")

    @strawberry.field(description="The messages of this page, without snippets.")
    def nodes(self) -> list[MessageType]:
        return [edge.node for edge in self.edges]

    @classmethod
    def from_model(cls, page: pages.Page[FoundMessage]) -> "FoundMessageConnectionType":
        edges = [FoundMessageEdgeType.from_model(*each) for each in zip(page.rows, page.cursors, strict=True)]
        return cls(edges=edges, page_info=PageInfoType.from_model(page))
