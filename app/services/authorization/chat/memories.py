"""One user's access to their own memories."""

from collections.abc import Sequence

from app.accounts.members import Role
from app.chat.memories import Memories
from app.database import models
from app.services.authorization.roles import Roles


class MemoryAccess:
    """Facts about one user, stored in projects that the user may see."""

    def __init__(self, memories: Memories, roles: Roles) -> None:
        self._memories = memories
        self._roles = roles

    async def remember(self, project_id: str, content: str, importance: float) -> models.Memory:
        """Store a fact about the user in a project. Raises NotFound or Invalid."""
        await self._roles.require(Role.VIEWER, project_id)
        return await self._memories.remember(project_id, self._roles.user_id, content, importance)

    async def forget(self, memory_id: str) -> None:
        """Delete one of the user's memories. Raises NotFound."""
        await self._memories.forget(memory_id, self._roles.user_id)

    async def by_ids(self, ids: Sequence[str]) -> list[models.Memory | None]:
        """The user's memories with these ids, in order."""
        return await self._roles.visible_rows(await self._memories.by_ids(ids, self._roles.user_id))

    async def memories_by_project(self, project_ids: Sequence[str]) -> list[list[models.Memory]]:
        """The user's memories in each project."""
        return await self._memories.memories_by_project(project_ids, self._roles.user_id)
