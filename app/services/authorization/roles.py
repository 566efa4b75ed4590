"""One user's roles in projects, and what they allow the user to see."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from app import errors
from app.accounts import members
from app.accounts.members import Members, Role
from app.database import models

# Rows that belong to a project and can be looked up by their own ids.
Row = TypeVar("Row", models.Document, models.Chunk, models.EmbeddingSpace, models.Memory)


class Roles:
    """One user's roles, each read once per operation.

    `full_access`: this is the owner of a server without sign-in.
    """

    def __init__(self, members: Members, user_id: str, *, full_access: bool) -> None:
        self._members = members
        self.user_id = user_id
        self.full_access = full_access
        self._roles: dict[str, Role | None] = {}

    @property
    def seen_by(self) -> str | None:
        """The user whose access limits lists; None for a user who may see everything."""
        return None if self.full_access else self.user_id

    async def roles_by_project(self, project_ids: Sequence[str]) -> Mapping[str, Role]:
        """The roles in these projects, without projects that the user may not see."""
        if self.full_access:
            return dict.fromkeys(project_ids, Role.OWNER)
        unknown = {id for id in project_ids if id not in self._roles}
        if unknown:
            found = await self._members.roles_by_project(self.user_id, sorted(unknown))
            self._roles |= {id: found.get(id) for id in unknown}
        return {id: role for id in project_ids if (role := self._roles[id]) is not None}

    async def require(self, minimum: Role, *project_ids: str) -> None:
        """Raises NotFound if the user may not see one of the projects, Forbidden if a role there is below `minimum`."""
        roles = await self.roles_by_project(project_ids)
        for project_id in project_ids:
            if project_id not in roles:
                raise errors.NotFound("project", project_id)
            members.check_role(roles[project_id], minimum)

    async def visible_rows(self, rows: Sequence[Row | None]) -> list[Row | None]:
        """The rows in order; None for each in a project that the user may not see."""
        roles = await self.roles_by_project(sorted({row.project_id for row in rows if row is not None}))
        return [row if row is not None and row.project_id in roles else None for row in rows]

    async def require_row(self, row: Row | None, minimum: Role, kind: str, id: str) -> Row:
        """The row, if it exists and the user's role suffices. Raises NotFound or Forbidden."""
        [visible] = await self.visible_rows([row])
        if visible is None:
            raise errors.NotFound(kind, id)
        await self.require(minimum, visible.project_id)
        return visible

    async def visible_sessions(self, rows: Sequence[models.ChatSession | None]) -> list[models.ChatSession | None]:
        """The chat sessions in order; None for each that is neither the user's own nor shared with them."""
        if self.full_access:
            return list(rows)
        roles = await self.roles_by_project(sorted({row.project_id for row in rows if row is not None}))
        return [
            row if row is not None and members.may_see(row, self.user_id, roles.get(row.project_id)) else None
            for row in rows
        ]
