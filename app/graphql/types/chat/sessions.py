"""Chat sessions, with the options in effect for their answers."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

import strawberry

from app.answer_options import OPTIONS, AnswerOptions
from app.chat import sessions
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.types import nodes
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.nodes import NodeType
from app.graphql.types.people import UserType
from app.graphql.types.settings import CitationStyleType, ContextPlacementType, GroundingType, SearchModeType

Choice = TypeVar("Choice", bound=Enum)


def _option_resolver(name: str) -> Callable[["ChatSessionType", Info], Awaitable[Any]]:
    """A resolver of an option's value in effect, whichever layer sets it."""

    async def resolve(self: "ChatSessionType", info: Info) -> Any:
        return getattr(await self.effective_options(info), name)

    return resolve


def _enum_option_resolver(kind: type[Choice], name: str) -> Callable[["ChatSessionType", Info], Awaitable[Choice]]:
    """The same for an option that is an enum."""
    setting = _option_resolver(name)

    async def resolve(self: "ChatSessionType", info: Info) -> Choice:
        return kind(await setting(self, info))

    return resolve


@strawberry.type(
    name="ChatSession",
    description="A conversation, with the options of its answers. Each option shows the value in effect.",
)
class ChatSessionType(NodeType):
    row_type = models.ChatSession

    row: strawberry.Private[models.ChatSession]
    shared: bool = strawberry.field(description="Whether other members of the project can see the chat session.")
    title: str = strawberry.field(
        description="Title of the chat session. Defaults to the beginning of its first question."
    )
    document_ids: list[strawberry.ID] | None = strawberry.field(
        description="Documents to search. Null if all documents of the project are searched."
    )
    created_at: datetime = strawberry.field(description="When the chat session was created.")
    updated_at: datetime = strawberry.field(description="When the chat session was last changed or asked a question.")

    model: str = strawberry.field(
        resolver=_option_resolver("model"), graphql_type=str, description=OPTIONS["model"].described_with_range
    )
    enable_rag: bool = strawberry.field(
        resolver=_option_resolver("enable_rag"),
        graphql_type=bool,
        description=OPTIONS["enable_rag"].described_with_range,
    )
    rag_top_k: int = strawberry.field(
        resolver=_option_resolver("rag_top_k"), graphql_type=int, description=OPTIONS["rag_top_k"].described_with_range
    )
    include_citations: bool = strawberry.field(
        resolver=_option_resolver("include_citations"),
        graphql_type=bool,
        description=OPTIONS["include_citations"].described_with_range,
    )
    grounding: GroundingType = strawberry.field(
        resolver=_enum_option_resolver(GroundingType, "grounding"),
        graphql_type=GroundingType,
        description=OPTIONS["grounding"].described_with_range,
    )
    context_token_ratio: float = strawberry.field(
        resolver=_option_resolver("context_token_ratio"),
        graphql_type=float,
        description=OPTIONS["context_token_ratio"].described_with_range,
    )
    max_tokens: int | None = strawberry.field(
        resolver=_option_resolver("max_tokens"),
        graphql_type=int | None,
        description=OPTIONS["max_tokens"].described_with_range,
    )
    temperature: float = strawberry.field(
        resolver=_option_resolver("temperature"),
        graphql_type=float,
        description=OPTIONS["temperature"].described_with_range,
    )
    reformulate: bool = strawberry.field(
        resolver=_option_resolver("reformulate"),
        graphql_type=bool,
        description=OPTIONS["reformulate"].described_with_range,
    )
    search_mode: SearchModeType = strawberry.field(
        resolver=_enum_option_resolver(SearchModeType, "search_mode"),
        graphql_type=SearchModeType,
        description=OPTIONS["search_mode"].described_with_range,
    )
    citation_style: CitationStyleType = strawberry.field(
        resolver=_enum_option_resolver(CitationStyleType, "citation_style"),
        graphql_type=CitationStyleType,
        description=OPTIONS["citation_style"].described_with_range,
    )
    context_placement: ContextPlacementType = strawberry.field(
        resolver=_enum_option_resolver(ContextPlacementType, "context_placement"),
        graphql_type=ContextPlacementType,
        description=OPTIONS["context_placement"].described_with_range,
    )

    @strawberry.field(description="Instructions placed at the start of the prompt. May be empty.")
    async def system_prompt(self, info: Info) -> str:
        return (await self.effective_options(info)).system_prompt or ""

    async def effective_options(self, info: Info) -> AnswerOptions:
        """The options in effect."""
        project = await info.context.loaders.projects.load(self.row.project_id)
        opener = await info.context.loaders.users.load(self.row.created_by)
        return info.context.access.chats.options(project, opener, sessions.own_options(self.row))

    @strawberry.field(description=OPTIONS["rag_threshold"].described_with_range)
    async def rag_threshold(self, info: Info) -> float:
        threshold = (await self.effective_options(info)).rag_threshold
        if threshold is not None:
            return threshold
        return await info.context.loaders.thresholds.load(self.row.project_id)

    @strawberry.field(
        graphql_type=nodes.parent_type("ProjectType", "projects"),
        description="The project whose documents are searched.",
    )
    async def project(self, info: Info) -> NodeType:
        return nodes.required_node(await info.context.loaders.projects.load(self.row.project_id))

    @strawberry.field(description="The user who created the chat session.")
    async def created_by(self, info: Info) -> UserType:
        row = await info.context.loaders.users.load(self.row.created_by)
        return UserType.from_model(nodes.require_row(row))

    @strawberry.field(description="The messages, oldest first.")
    async def messages(
        self, info: Info, first: First = None, after: After = None, last: Last = None, before: Before = None
    ) -> ConnectionType[MessageType]:
        chats, window = info.context.access.chats, pages.Window(first, after, last, before)
        of_parent, id = info.context.loaders.of_parent, self.row.id
        page = await of_parent(chats.messages, id, window)
        return to_connection(MessageType, page, lambda: of_parent(chats.count_messages, id))

    @classmethod
    def from_model(cls, row: models.ChatSession) -> "ChatSessionType":
        documents = row.document_ids
        return cls(
            id=ids.encode("ChatSession", row.id),
            row=row,
            shared=row.shared,
            title=row.title,
            document_ids=[ids.encode("Document", id) for id in documents] if documents is not None else None,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
