"""The user who sends a request."""

import strawberry

from app.chat.session_lists import SessionOrder
from app.database import pages
from app.graphql.context import Info
from app.graphql.inputs.chat_lists import session_criteria, session_order
from app.graphql.types.chat.sessions import ChatSessionType, SessionFilter, SessionOrderBy
from app.graphql.types.connections import After, Before, ConnectionType, First, Last, to_connection
from app.graphql.types.nodes import require_row
from app.graphql.types.people import AccessTokenType, UserType


@strawberry.type(
    name="Viewer", description="The user who sends the request. If sign-in is disabled, this is the local owner."
)
class ViewerType:
    @strawberry.field(description="Your user account.")
    async def user(self, info: Info) -> UserType:
        return UserType.from_model(require_row(await info.context.loaders.users.load(info.context.user.id)))

    @strawberry.field(description="Your access tokens that have not been revoked, newest first. Visible only to you.")
    async def access_tokens(self, info: Info) -> list[AccessTokenType]:
        rows = await info.context.access.account.list_tokens()
        return [AccessTokenType.from_model(row) for row in rows]

    @strawberry.field(
        description="Bytes stored in the projects whose first owner you are: the documents as they were added, and "
        "one byte per character of their chunks."
    )
    async def stored_bytes(self, info: Info) -> float:
        return float(await info.context.access.account.read_stored_bytes())

    @strawberry.field(
        description="Maximum for `storedBytes`; further documents are refused with `STORAGE_FULL`. Null: no limit."
    )
    def max_stored_bytes(self, info: Info) -> float | None:
        most = info.context.access.account.max_stored_bytes
        return None if most is None else float(most)

    @strawberry.field(
        description="The chat sessions that you created, in all projects that you can see. Most recently active first "
        "unless sorted otherwise."
    )
    async def chat_sessions(
        self,
        info: Info,
        filter: SessionFilter = None,
        order_by: SessionOrderBy = None,
        first: First = None,
        after: After = None,
        last: Last = None,
        before: Before = None,
    ) -> ConnectionType[ChatSessionType]:
        lists, request = info.context.access.chat_lists, pages.PageRequest(first, after, last, before)
        which, order = session_criteria(filter), session_order(order_by, SessionOrder("LAST_ACTIVITY", descending=True))
        page = await lists.list_own(which, order, request)
        return to_connection(ChatSessionType, page, lambda: lists.count_own(which))
