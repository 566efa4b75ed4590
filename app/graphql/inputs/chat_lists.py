"""Inputs about lists of chat sessions, and search in messages."""

from enum import Enum

import strawberry

from app.chat.session_lists import SessionCriteria, SessionOrder
from app.graphql.inputs.documents import OrderDirection


@strawberry.enum(description="Fields by which chat sessions can be sorted.")
class ChatSessionOrderField(Enum):
    CREATED = strawberry.enum_value("CREATED", description="When the chat session was created.")
    LAST_ACTIVITY = strawberry.enum_value("LAST_ACTIVITY", description="When it last received a question.")
    TITLE = strawberry.enum_value("TITLE", description="Title, in the order of Unicode code points.")


@strawberry.enum(description="Formats in which a conversation can be exported.")
class ExportFormat(Enum):
    MARKDOWN = strawberry.enum_value("MARKDOWN", description="Markdown, for people.")
    JSON = strawberry.enum_value("JSON", description="A JSON object, for programs.")


@strawberry.input(description="Filters for chat sessions. A session must match all filters that are given.")
class ChatSessionFilter:
    title_contains: str | None = strawberry.field(
        default=None, description="Only sessions whose title contains this text; case is ignored."
    )
    archived: bool | None = strawberry.field(
        default=None, description="`true` for archived sessions only, `false` for all others."
    )
    pinned: bool | None = strawberry.field(
        default=None, description="`true` for pinned sessions only, `false` for all others."
    )


@strawberry.input(description="How to sort chat sessions.")
class ChatSessionOrder:
    field: ChatSessionOrderField = strawberry.field(description="Field to sort by.")
    direction: OrderDirection = strawberry.field(default=OrderDirection.ASC, description="Sort direction.")


@strawberry.input(description="Parameters of `searchMessages`.")
class SearchMessagesInput:
    query: str = strawberry.field(
        description="Words that a message must contain, all of them. There is no query syntax."
    )
    project_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Id of the project to search in. If omitted, your messages in all projects are searched.",
    )


def session_criteria(filter: ChatSessionFilter | None) -> SessionCriteria:
    """The filter in the form that the session lists take."""
    if filter is None:
        return SessionCriteria()
    return SessionCriteria(filter.title_contains, filter.archived, filter.pinned)


def session_order(order: ChatSessionOrder | None, default: SessionOrder) -> SessionOrder:
    """The order in the form that the session lists take."""
    if order is None:
        return default
    return SessionOrder(order.field.name, descending=order.direction is OrderDirection.DESC)
