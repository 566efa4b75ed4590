"""Chat sessions, with the options in effect for their answers."""

from datetime import datetime

import strawberry

from app.answer_options import AnswerOptions
from app.chat import sessions
from app.database import models, pages
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.types import nodes
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.chat.option_fields import with_option_values
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.nodes import NodeType
from app.graphql.types.people import UserType


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
    created_at: datetime = strawberry.field(description="When the chat session was created.")
    updated_at: datetime = strawberry.field(
        description="When the chat session was last updated or last received a question."
    )

    async def load_options(self, info: Info) -> AnswerOptions:
        """The options in effect."""
        project = await info.context.loaders.projects.load(self.row.project_id)
        creator = await info.context.loaders.users.load(self.row.created_by)
        return info.context.access.chats.resolve_options(project, creator, sessions.own_options(self.row))

    async def load_threshold(self, info: Info) -> float:
        """The threshold of the project's embedding model."""
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
        chats, window = info.context.access.chats, pages.PageRequest(first, after, last, before)
        of_parent, id = info.context.loaders.load_for_parent, self.row.id
        page = await of_parent(chats.list_messages, id, window)
        return to_connection(MessageType, page, lambda: of_parent(chats.count_messages, id))

    @classmethod
    def from_model(cls, row: models.ChatSession) -> "ChatSessionType":
        documents = sessions.own_options(row)["document_ids"]
        return cls(
            id=ids.encode("ChatSession", row.id),
            row=row,
            shared=row.shared,
            title=row.title,
            document_ids=[ids.encode("Document", id) for id in documents] if documents is not None else None,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
