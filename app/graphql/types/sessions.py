"""A chat session's row in; how its answers are given, with defaults filled in, and its messages out."""

from collections.abc import Callable
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

import strawberry

from app.database import models, pages
from app.graphql import ids
from app.graphql.connections import After, Before, Connection, First, Last, connect
from app.graphql.context import Info
from app.graphql.types import nodes
from app.graphql.types.messages import Message
from app.graphql.types.nodes import Node
from app.graphql.types.people import User
from app.graphql.types.settings import CitationStyle, ContextPlacement, Grounding, SearchMode

Choice = TypeVar("Choice", bound=Enum)


def _setting(name: str) -> Callable[["ChatSession", Info], Any]:
    """The session's own value, else the server's default."""

    def resolve(self: "ChatSession", info: Info) -> Any:
        value = getattr(self.row, name)
        return getattr(info.context.allowed.chats.defaults, name) if value is None else value

    return resolve


def _choice(kind: type[Choice], name: str) -> Callable[["ChatSession", Info], Choice]:
    """The same for a value of an enum."""
    setting = _setting(name)

    def resolve(self: "ChatSession", info: Info) -> Choice:
        return kind(setting(self, info))

    return resolve


@strawberry.type(description="A conversation, and how its answers are given. Settings show the value that is in force.")
class ChatSession(Node):
    """See its description."""

    row_type = models.ChatSession

    row: strawberry.Private[models.ChatSession]
    shared: bool = strawberry.field(description="Whether other members of the project see it.")
    title: str = strawberry.field(description="Its title; the first question's beginning if none was given.")
    system_prompt: str = strawberry.field(description="Instructions that stand before everything; may be empty.")
    document_ids: list[strawberry.ID] | None = strawberry.field(
        description="The documents that are searched; null: all of the project's."
    )
    created_at: datetime = strawberry.field(description="When it was opened.")
    updated_at: datetime = strawberry.field(description="When it last changed or was asked something.")

    model: str = strawberry.field(
        resolver=_setting("model"), graphql_type=str, description="The model that answers, as `provider/model`."
    )
    enable_rag: bool = strawberry.field(
        resolver=_setting("enable_rag"), graphql_type=bool, description="Whether documents are searched at all."
    )
    rag_top_k: int = strawberry.field(
        resolver=_setting("rag_top_k"), graphql_type=int, description="Passages that are candidates for the context."
    )
    include_citations: bool = strawberry.field(
        resolver=_setting("include_citations"), graphql_type=bool, description="Whether the text carries markers."
    )
    grounding: Grounding = strawberry.field(
        resolver=_choice(Grounding, "grounding"),
        graphql_type=Grounding,
        description="How strictly answers keep to their sources.",
    )
    context_token_ratio: float = strawberry.field(
        resolver=_setting("context_token_ratio"),
        graphql_type=float,
        description="Share of the free context window that passages may claim, 0.2 to 0.8.",
    )
    max_tokens: int | None = strawberry.field(
        resolver=_setting("max_tokens"), graphql_type=int | None, description="Longest answer, in tokens."
    )
    temperature: float = strawberry.field(
        resolver=_setting("temperature"),
        graphql_type=float,
        description="How freely the model words an answer, 0 to 2.",
    )
    reformulate: bool = strawberry.field(
        resolver=_setting("reformulate"),
        graphql_type=bool,
        description="Whether a model first rewrites the question into a stand-alone search query.",
    )
    search_mode: SearchMode = strawberry.field(
        resolver=_choice(SearchMode, "search_mode"), graphql_type=SearchMode, description="What a search looks at."
    )
    citation_style: CitationStyle = strawberry.field(
        resolver=_choice(CitationStyle, "citation_style"),
        graphql_type=CitationStyle,
        description="How the text points to its sources.",
    )
    context_placement: ContextPlacement = strawberry.field(
        resolver=_choice(ContextPlacement, "context_placement"),
        graphql_type=ContextPlacement,
        description="Where the passages stand in what is sent.",
    )

    @strawberry.field(
        description="Least relevance of a passage; without one of its own, what suits the embedding model."
    )
    async def rag_threshold(self, info: Info) -> float:
        """See its description."""
        for value in (self.row.rag_threshold, info.context.allowed.chats.defaults.rag_threshold):
            if value is not None:
                return value
        return await info.context.loaders.thresholds.load(self.row.project_id)

    @strawberry.field(
        graphql_type=nodes.above("Project", "projects"), description="The project whose documents answer."
    )
    async def project(self, info: Info) -> Node:
        """See its description."""
        return nodes.found(await info.context.loaders.projects.load(self.row.project_id))

    @strawberry.field(description="Who opened it.")
    async def created_by(self, info: Info) -> User:
        """See its description."""
        row = await info.context.loaders.users.load(self.row.created_by)
        return User.from_model(nodes.there(row))

    @strawberry.field(description="Its messages, oldest first.")
    async def messages(
        self, info: Info, first: First = None, after: After = None, last: Last = None, before: Before = None
    ) -> Connection[Message]:
        """See its description."""
        sessions, window = info.context.allowed.chats, pages.Window(first, after, last, before)
        of_parent, id = info.context.loaders.of_parent, self.row.id
        page = await of_parent(sessions.messages, id, window)
        return connect(Message, page, lambda: of_parent(sessions.count_messages, id))

    @classmethod
    def from_model(cls, row: models.ChatSession) -> "ChatSession":
        """Of a chat session's row."""
        documents = row.document_ids
        return cls(
            id=ids.encode("ChatSession", row.id),
            row=row,
            shared=row.shared,
            title=row.title,
            system_prompt=row.system_prompt or "",
            document_ids=[ids.encode("Document", id) for id in documents] if documents is not None else None,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
