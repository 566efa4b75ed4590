"""One user's roles in projects, and what they let the user see."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from app import errors
from app.accounts import members
from app.accounts.members import MemberRoles, Role
from app.database import models

# What belongs to a project and can be looked up by itself.
Row = TypeVar("Row", models.Document, models.Chunk, models.EmbeddingSpace, models.Memory)


class Roles:
    """One user's roles, asked once each for as long as this lives: an operation.

    `everything`: the owner of a server that nobody has to sign in to may do all.
    """

    def __init__(self, access: MemberRoles, user_id: str, *, everything: bool) -> None:
        self._access = access
        self.user_id = user_id
        self.everything = everything
        self._known: dict[str, Role | None] = {}

    @property
    def seen_by(self) -> str | None:
        """The user to whom listings are limited; None for who may see everything."""
        return None if self.everything else self.user_id

    async def roles_by_project(self, project_ids: Sequence[str]) -> Mapping[str, Role]:
        """The roles in these projects; one that the user may not see is left out."""
        if self.everything:
            return dict.fromkeys(project_ids, Role.OWNER)
        unknown = {id for id in project_ids if id not in self._known}
        if unknown:
            found = await self._access.roles(self.user_id, sorted(unknown))
            self._known |= {id: found.get(id) for id in unknown}
        return {id: role for id in project_ids if (role := self._known[id]) is not None}

    async def require(self, project_id: str, least: Role, kind: str, id: str | None = None) -> None:
        """Raises NotFound for what was asked for in a project that the user may not see, Forbidden for a small role."""
        role = (await self.roles_by_project([project_id])).get(project_id)
        if role is None:
            raise errors.NotFound(kind, id if id is not None else project_id)
        members.check(role, least)

    async def visible_rows(self, rows: Sequence[Row | None]) -> list[Row | None]:
        """The rows in order; None in place of one in a project that the user may not see."""
        roles = await self.roles_by_project(sorted({row.project_id for row in rows if row is not None}))
        return [row if row is not None and row.project_id in roles else None for row in rows]

    async def require_row(self, row: Row | None, least: Role, kind: str, id: str) -> Row:
        """The row, if it is there for the user and the role reaches. Raises NotFound or Forbidden."""
        if row is None:
            raise errors.NotFound(kind, id)
        await self.require(row.project_id, least, kind, id)
        return row

    async def sees(self, session: models.ChatSession) -> bool:
        """Whether the user may see a chat session: their own, and those that are shared."""
        role = (await self.roles_by_project([session.project_id])).get(session.project_id)
        return self.everything or members.may_see(session, self.user_id, role)
