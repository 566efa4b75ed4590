"""A user in; the services as that user may use them, out. No door reaches the rooms in any other way."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from typing import Protocol, TypeVar

from sqlalchemy import or_, select

from app import errors
from app.accounts.members import Role
from app.chat.answer_log.journal import Journal
from app.chat.memories import Memories
from app.chat.previews import Previews
from app.chat.sessions import Sessions
from app.chat.turns import Turns
from app.database import models
from app.database.engine import Database
from app.knowledge.library import Library
from app.knowledge.projects import Projects
from app.knowledge.search.hybrid import HybridSearch
from app.knowledge.spaces import EmbeddingSpaces
from app.services.accounts import Accounts
from app.services.authorization.chats import AllowedChats
from app.services.authorization.documents import AllowedDocuments
from app.services.authorization.projects import AllowedProjects
from app.services.authorization.roles import Roles
from app.services.authorization.watching import Check, Watching

T = TypeVar("T")


class Rooms(Protocol):
    """The services that are asked for somebody."""

    @property
    def database(self) -> Database: ...  # noqa: D102
    @property
    def accounts(self) -> Accounts: ...  # noqa: D102
    @property
    def projects(self) -> Projects: ...  # noqa: D102
    @property
    def library(self) -> Library: ...  # noqa: D102
    @property
    def spaces(self) -> EmbeddingSpaces: ...  # noqa: D102
    @property
    def search(self) -> HybridSearch: ...  # noqa: D102
    @property
    def sessions(self) -> Sessions: ...  # noqa: D102
    @property
    def turns(self) -> Turns: ...  # noqa: D102
    @property
    def journal(self) -> Journal: ...  # noqa: D102
    @property
    def previews(self) -> Previews: ...  # noqa: D102
    @property
    def memories(self) -> Memories: ...  # noqa: D102
    @property
    def watching(self) -> Watching: ...  # noqa: D102


class Allowed:
    """What one user may do, for the time of an operation.

    `everything`: nobody has to sign in, and this is the owner.
    """

    def __init__(self, rooms: Rooms, user: models.User, *, everything: bool) -> None:
        self.user = user
        self.roles = Roles(rooms.accounts.access, user.id, everything=everything)
        self.projects = AllowedProjects(
            rooms.projects, rooms.accounts.members, rooms.library, rooms.spaces, rooms.search, self.roles
        )
        self.documents = AllowedDocuments(rooms.library, rooms.accounts.usage, self.roles)
        self.chats = AllowedChats(
            rooms.sessions,
            rooms.turns,
            rooms.journal,
            rooms.previews,
            rooms.watching,
            rooms.accounts.usage,
            self.roles,
        )
        self._database = rooms.database
        self._memories = rooms.memories
        self._watching = rooms.watching
        self._access = rooms.accounts.access
        self._usage = rooms.accounts.usage
        self._users = rooms.accounts.users
        self._members_by_address = rooms.accounts.members_by_address

    async def while_seen(
        self, project_id: str, source: AsyncGenerator[T], kind: str, id: str, check: Check
    ) -> AsyncGenerator[T]:
        """What the source gives, for as long as the user sees the project; then NotFound. Or what `check` raises."""
        with self._watching.project(None if self.roles.everything else self.user.id, project_id, check) as watched:
            async with aclosing(watched.only_while_seen(source, kind, id)) as seen:
                async for happened in seen:
                    yield happened
        # A source may notice first that there is nothing to be seen any more, and just end.
        if not self.roles.everything and not await self._access.roles(self.user.id, [project_id]):
            raise errors.NotFound(kind, id)

    @property
    def counts_tokens(self) -> bool:
        """Whether the user's tokens have a bound."""
        return not self.roles.everything and self._usage.bounds("tokens")

    async def spend_tokens(self) -> None:
        """Raises RateLimited for a user who has no tokens of models left for today."""
        if not self.roles.everything:
            await self._usage.spend("tokens", self.user.id)

    async def record_tokens(self, count: int) -> None:
        """Count what an answer took. A count that cannot be written harms nobody: the answer is given."""
        if not self.roles.everything:
            with suppress(errors.Unavailable):
                await self._usage.record("tokens", self.user.id, count)

    async def remember(self, project_id: str, content: str, importance: float) -> models.Memory:
        """Keep a fact about the user in a project. Raises NotFound or Invalid."""
        await self.roles.require(project_id, Role.VIEWER, "project")
        return await self._memories.remember(project_id, self.user.id, content, importance)

    async def forget(self, memory_id: str) -> None:
        """Remove a memory of the user's. Raises NotFound."""
        await self._memories.forget(memory_id, self.user.id)

    async def memories_by_ids(self, ids: Sequence[str]) -> list[models.Memory | None]:
        """The user's memories with these ids, in order."""
        return await self.roles.visible(await self._memories.by_ids(ids, self.user.id))

    async def memories_of(self, project_ids: Sequence[str]) -> list[list[models.Memory]]:
        """The user's memories in each project."""
        return await self._memories.of(project_ids, self.user.id)

    async def user_to_add(self, email: str) -> models.User:
        """The user of this address, as a member to be. Raises Invalid, in the same way for whoever may not be known."""
        user = await self._users.by_email(email)
        [seen] = await self.users_by_ids([user.id if user is not None else ""])
        if self._members_by_address and user is not None:
            return user
        if seen is None:
            with_whom = "" if self._members_by_address else " with whom you share a project"
            message = f"There is nobody{with_whom} who has this address; the operator can add others."
            raise errors.Invalid.one("email", "INVALID", message)
        return seen

    async def users_by_ids(self, ids: Sequence[str]) -> list[models.User | None]:
        """The users with these ids, in order: the user, and whoever shares a project with them or did."""
        user, member, session = models.User, models.ProjectMember, models.ChatSession
        statement = select(user).where(user.id.in_(ids))
        if not self.roles.everything:
            mine = select(member.project_id).where(member.user_id == self.user.id)
            together = select(member.user_id).where(member.project_id.in_(mine))
            shared = select(session.created_by).where(session.project_id.in_(mine), session.shared)
            statement = statement.where(or_(user.id == self.user.id, user.id.in_(together), user.id.in_(shared)))
        async with self._database.read() as db:
            found = {row.id: row for row in await db.scalars(statement)}
        return [found.get(id) for id in ids]
