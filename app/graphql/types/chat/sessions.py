"""Chat sessions, with the options in effect for their answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import strawberry
from strawberry.scalars import JSON

from app.answer_options import AnswerOptions
from app.chat import sessions
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.enums import DocumentStatus
from app.graphql.inputs.chat_lists import ChatSessionFilter, ChatSessionOrder
from app.graphql.types import nodes
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.chat.option_fields import with_option_values
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.nodes import NodeType
from app.graphql.types.people import UserType
from app.knowledge.relevance import Relevance

SessionFilter = Annotated[ChatSessionFilter | None, strawberry.argument(description="Filters for the chat sessions.")]
SessionOrderBy = Annotated[ChatSessionOrder | None, strawberry.argument(description="How to sort the chat sessions.")]
AllBranches = Annotated[
    bool,
    strawberry.argument(
        description="Whether to list the messages of all branches, in the order in which they were sent. `previous` "
        "tells where each belongs."
    ),
]


@strawberry.type(
    name="AppliedDocumentFilter",
    description="Which documents are searched. A document must match all criteria that are set.",
)
class AppliedDocumentFilterType:
    status: list[DocumentStatus] | None = strawberry.field(description="Only documents with one of these statuses.")
    title_contains: str | None = strawberry.field(
        description="Only documents whose title contains this text; case is ignored."
    )
    metadata: JSON | None = strawberry.field(
        description="Only documents whose metadata has each of these keys with the given value."
    )

    @classmethod
    def from_model(cls, values: Mapping[str, Any]) -> "AppliedDocumentFilterType":
        """`values` as they are stored with a session."""
        status = values.get("status")
        return cls(
            status=None if status is None else [DocumentStatus(name) for name in status],
            title_contains=values.get("title_contains"),
            metadata=values.get("metadata"),
        )


@strawberry.type(
    name="ChatSession",
    description="A conversation, with the options of its answers. Each option shows the value in effect.",
)
@with_option_values
class ChatSessionType(NodeType):
    row_type = models.ChatSession

    row: strawberry.Private[models.ChatSession]
    shared: bool = strawberry.field(description="Whether other members of the project can see the chat session.")
    title: str = strawberry.field(
        description="Title of the chat session. Defaults to the beginning of its first question."
    )
    document_ids: list[strawberry.ID] | None = strawberry.field(
        description="Documents to search. If null, all documents in the project are searched."
    )
    pinned: bool = strawberry.field(description="Whether its creator pinned the chat session.")
    archived: bool = strawberry.field(description="Whether its creator archived the chat session.")
    document_filter: AppliedDocumentFilterType | None = strawberry.field(
        description="Filter for the documents to search. If `documentIds` are set as well, both must match. If null, "
        "there is no filter."
    )
    created_at: datetime = strawberry.field(description="When the chat session was created.")
    updated_at: datetime = strawberry.field(
        description="When the chat session was last updated or last received a question."
    )
    last_activity_at: datetime = strawberry.field(
        description="When the chat session last received a question. Until it does, when it was created."
    )

    async def load_options(self, info: Info) -> AnswerOptions:
        """The options in effect."""
        project = await info.context.loaders.projects.load(self.row.project_id)
        creator = await info.context.loaders.users.load(self.row.created_by)
        return info.context.access.chats.resolve_options(project, creator, sessions.own_options(self.row))

    async def load_relevance(self, info: Info) -> Relevance:
        """The values measured on the project's documents."""
        return await info.context.loaders.relevance.load(self.row.project_id)

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

    @strawberry.field(
        description="The messages of the branch that is shown, oldest first: each question with its current answer. "
        "What a model receives as history is the same. When another branch is shown, the messages before the fork and "
        "their cursors stay the same."
    )
    async def messages(
        self,
        info: Info,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
        all_branches: AllBranches = False,
    ) -> ConnectionType[MessageType]:
        chats, request = info.context.access.chats, pages.PageRequest(first, after, last, before)
        of_parent, id = info.context.loaders.load_for_parent, self.row.id
        page = await of_parent(chats.list_messages, id, request, all_branches=all_branches)
        return to_connection(MessageType, page, lambda: of_parent(chats.count_messages, id, all_branches=all_branches))

    @classmethod
    def from_model(cls, row: models.ChatSession) -> "ChatSessionType":
        own = sessions.own_options(row)
        documents, filter = own["document_ids"], own["document_filter"]
        return cls(
            id=ids.encode("ChatSession", row.id),
            row=row,
            shared=row.shared,
            title=row.title,
            document_ids=[ids.encode("Document", id) for id in documents] if documents is not None else None,
            pinned=row.pinned,
            archived=row.archived,
            document_filter=AppliedDocumentFilterType.from_model(filter) if filter is not None else None,
            created_at=row.created_at,
            updated_at=row.updated_at,
            last_activity_at=row.last_activity_at,
        )
