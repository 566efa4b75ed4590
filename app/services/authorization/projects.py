"""Projects as one user may see and change them."""

from collections.abc import Sequence
from typing import Any

from app.accounts.members import Member, Members, Role
from app.database import models, pages
from app.knowledge.library import Library
from app.knowledge.projects import Projects
from app.knowledge.search.hybrid import HybridSearch, SearchQuery, SearchResult
from app.knowledge.spaces import EmbeddingSpaces
from app.services.authorization.roles import Roles


class AllowedProjects:
    """A VIEWER sees and searches a project, an OWNER decides about it. Raises NotFound and Forbidden accordingly."""

    def __init__(
        self,
        projects: Projects,
        members: Members,
        library: Library,
        spaces: EmbeddingSpaces,
        search: HybridSearch,
        roles: Roles,
    ) -> None:
        self._projects = projects
        self._members = members
        self._library = library
        self._spaces = spaces
        self._search = search
        self._roles = roles

    @property
    def _seen_by(self) -> str | None:
        return None if self._roles.everything else self._roles.user_id

    async def create(self, name: str, description: str | None, *, local_providers_only: bool) -> models.Project:
        """A new project of the user's."""
        return await self._projects.create_project(
            name, description, local_providers_only=local_providers_only, owner_id=self._roles.user_id
        )

    async def update(self, project_id: str, changes: dict[str, Any]) -> models.Project:
        """Change it; for an OWNER."""
        await self._roles.require(project_id, Role.OWNER, "project")
        return await self._projects.update_project(project_id, changes, visible_to=self._seen_by)

    async def delete(self, project_id: str) -> None:
        """Remove it with all that belongs to it; for an OWNER."""
        await self._roles.require(project_id, Role.OWNER, "project")
        await self._projects.delete_project(project_id)

    async def by_ids(self, ids: list[str]) -> list[models.Project | None]:
        """The projects with these ids, in order."""
        roles = await self._roles.of(ids)
        return [
            row if row is not None and row.id in roles else None for row in await self._projects.projects_by_ids(ids)
        ]

    async def by_name(self, name: str) -> models.Project | None:
        """The project of this name, the oldest if there are several."""
        return await self._projects.find_project(name, visible_to=self._seen_by)

    async def page(self, window: pages.Window) -> pages.Page[models.Project]:
        """The user's projects by age."""
        return await self._projects.list_projects(window, visible_to=self._seen_by)

    async def count(self) -> int:
        """How many there are."""
        return await self._projects.count_projects(visible_to=self._seen_by)

    async def members(self, project_ids: Sequence[str]) -> list[list[Member]]:
        """The members of each project, owners first."""
        roles = await self._roles.of(project_ids)
        found = await self._members.of(project_ids)
        return [members if id in roles else [] for id, members in zip(project_ids, found, strict=True)]

    async def viewer_roles(self, project_ids: Sequence[str]) -> list[Role]:
        """The user's role in each of these projects, which the user sees."""
        roles = await self._roles.of(project_ids)
        return [roles[id] for id in project_ids]

    async def spaces_by_ids(self, ids: Sequence[str]) -> list[models.EmbeddingSpace | None]:
        """The embedding spaces with these ids, in order."""
        return await self._roles.visible(await self._spaces.spaces_by_ids(ids))

    async def spaces_of(self, project_ids: Sequence[str]) -> list[list[models.EmbeddingSpace]]:
        """The embedding spaces of each project."""
        roles = await self._roles.of(project_ids)
        found = await self._spaces.spaces_by_project(project_ids)
        return [spaces if id in roles else [] for id, spaces in zip(project_ids, found, strict=True)]

    async def make_space(self, project_id: str) -> models.EmbeddingSpace:
        """The embedding space of a project that had none."""
        await self._roles.require(project_id, Role.VIEWER, "project")
        return (await self._spaces.ensure_space(project_id))[0]

    async def chunk_totals(self, project_ids: Sequence[str]) -> list[tuple[int, int]]:
        """For each project: chunks that can be searched, and all that are known of so far."""
        roles = await self._roles.of(project_ids)
        found = await self._library.chunk_counts(project_ids)
        return [total if id in roles else (0, 0) for id, total in zip(project_ids, found, strict=True)]

    async def thresholds(self, project_ids: list[str]) -> list[float]:
        """What least score suits each project's embedding model."""
        return await self._search.default_thresholds(project_ids)

    async def search(self, project_id: str, query: SearchQuery) -> SearchResult:
        """The passages of a project that fit best."""
        await self._roles.require(project_id, Role.VIEWER, "project")
        return await self._search.search_project(project_id, query)
