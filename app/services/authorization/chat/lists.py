"""One user's lists of chat sessions, and search in their messages."""

from collections.abc import Sequence

from app.accounts.members import Role
from app.chat.message_search.search import FoundMessage, MessageSearch
from app.chat.session_lists import SessionCriteria, SessionLists, SessionOrder
from app.database import models, pages
from app.services.authorization.roles import Roles


class ChatListAccess:
    """A user's own sessions, and those that other members of their projects share."""

    def __init__(self, lists: SessionLists, message_search: MessageSearch, roles: Roles) -> None:
        self._lists = lists
        self._message_search = message_search
        self._roles = roles

    async def list_by_project(
        self, project_ids: Sequence[str], criteria: SessionCriteria, order: SessionOrder, request: pages.PageRequest
    ) -> list[pages.Page[models.ChatSession]]:
        """A page of the sessions per project that the user may see."""
        await self._roles.require(Role.VIEWER, *project_ids)
        return await self._lists.list_by_project(project_ids, criteria, order, request, self._roles.seen_by)

    async def count_by_project(self, project_ids: Sequence[str], criteria: SessionCriteria) -> list[int]:
        """The number of sessions per project that the user may see."""
        return await self._lists.count_by_project(project_ids, criteria, self._roles.seen_by)

    async def list_own(
        self, criteria: SessionCriteria, order: SessionOrder, request: pages.PageRequest
    ) -> pages.Page[models.ChatSession]:
        """A page of the user's own sessions in all their projects."""
        return await self._lists.list_by_user(self._roles.user_id, criteria, order, request, self._roles.seen_by)

    async def count_own(self, criteria: SessionCriteria) -> int:
        """The number of the user's own sessions in all their projects."""
        return await self._lists.count_by_user(self._roles.user_id, criteria, self._roles.seen_by)

    async def search_messages(
        self, query: str, project_id: str | None, request: pages.PageRequest
    ) -> pages.Page[FoundMessage]:
        """Messages of the user's own sessions that have all words of a query, newest first; of all projects if None."""
        if project_id is not None:
            await self._roles.require(Role.VIEWER, project_id)
        user_id, seen_by = self._roles.user_id, self._roles.seen_by
        return await self._message_search.search(user_id, query, project_id, request, seen_by)
