"""One user's access to users and the members of projects."""

from collections.abc import Sequence

from sqlalchemy import or_, select

from app import errors
from app.accounts.members import Member, Role
from app.database import models
from app.services.authorization.roles import Roles
from app.services.backend import Backend


class PeopleAccess:
    """Members of a project see each other; its OWNERs can change them. Raises NotFound or Forbidden otherwise."""

    def __init__(self, backend: Backend, roles: Roles) -> None:
        self._database = backend.database
        self._users = backend.accounts.users
        self._members = backend.accounts.members
        self._members_by_address = backend.accounts.members_by_address
        self._roles = roles

    async def by_ids(self, ids: Sequence[str]) -> list[models.User | None]:
        """The users with these ids, in order: this user, fellow members, and authors of sessions shared with them."""
        user, member, session = models.User, models.ProjectMember, models.ChatSession
        statement = select(user).where(user.id.in_(ids))
        if not self._roles.full_access:
            own_id = self._roles.user_id
            mine = select(member.project_id).where(member.user_id == own_id)
            together = select(member.user_id).where(member.project_id.in_(mine))
            shared = select(session.created_by).where(session.project_id.in_(mine), session.shared)
            statement = statement.where(or_(user.id == own_id, user.id.in_(together), user.id.in_(shared)))
        rows = await self._database.run_read(lambda db: db.scalars(statement).all())
        found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def members(self, project_ids: Sequence[str]) -> list[list[Member]]:
        """The members of each project, owners first."""
        roles = await self._roles.roles_by_project(project_ids)
        found = await self._members.members_by_project(project_ids)
        return [members if id in roles else [] for id, members in zip(project_ids, found, strict=True)]

    async def own_roles(self, project_ids: Sequence[str]) -> list[Role]:
        """The user's role in each of these projects, which the user is known to have access to."""
        roles = await self._roles.roles_by_project(project_ids)
        return [roles[id] for id in project_ids]

    async def set_member(self, project_id: str, email: str, role: Role, address: str | None) -> None:
        """Make the user with this email address a member, or change their role. Requires OWNER.

        Raises Invalid for an unknown address, Conflict if no OWNER would be left.
        """
        await self._roles.require(Role.OWNER, project_id)
        user = await self._find_user_to_add(email)
        await self._members.set_member(project_id, user.id, role, self._roles.user_id, address)

    async def remove_member(self, project_id: str, user_id: str, address: str | None) -> None:
        """Remove a member. Requires OWNER. Raises Conflict if no OWNER would be left."""
        await self._roles.require(Role.OWNER, project_id)
        await self._members.remove_member(project_id, user_id, self._roles.user_id, address)

    async def _find_user_to_add(self, email: str) -> models.User:
        """Raises the same Invalid for an unknown user and for one whose existence must not be revealed."""
        user = await self._users.by_email(email)
        [seen] = await self.by_ids([user.id if user is not None else ""])
        if self._members_by_address and user is not None:
            return user
        if seen is None:
            with_whom = "" if self._members_by_address else " in your projects"
            message = f"There is no user{with_whom} with this address; the operator can add other users."
            raise errors.Invalid.at("email", "INVALID", message)
        return seen
