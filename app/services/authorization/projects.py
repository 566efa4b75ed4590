"""One user's access to projects."""

from collections.abc import Sequence
from typing import Any

from app.accounts.members import Role
from app.database import models, pages
from app.knowledge.library import DocumentTotals
from app.knowledge.relevance import Relevance
from app.knowledge.search.hybrid import SearchResult
from app.knowledge.search.passages import Passage
from app.knowledge.search.queries import SearchQuery
from app.knowledge.search.reranking import RankedPassages
from app.knowledge.search.search_cache import CacheUse
from app.services.authorization.roles import Roles
from app.services.backend import Backend


class ProjectAccess:
    """VIEWERs can see and search a project, OWNERs can change it. Raises NotFound or Forbidden otherwise."""

    def __init__(self, backend: Backend, roles: Roles) -> None:
        knowledge = backend.knowledge
        self._projects = knowledge.projects
        self._deletion = knowledge.project_deletion
        self._library = knowledge.library
        self._spaces = knowledge.spaces
        self._space_requests = knowledge.space_requests
        self._search = knowledge.search
        self._reranking = knowledge.reranking
        self._roles = roles

    async def create_project(self, name: str, description: str | None, *, local_providers_only: bool) -> models.Project:
        """Create a project that the user owns."""
        return await self._projects.create_project(
            name, description, local_providers_only=local_providers_only, owner_id=self._roles.user_id
        )

    async def update_project(self, project_id: str, changes: dict[str, Any]) -> models.Project:
        """Update a project. Requires OWNER."""
        await self._roles.require(Role.OWNER, project_id)
        return await self._projects.update_project(project_id, changes, visible_to=self._roles.seen_by)

    async def delete_project(self, project_id: str) -> None:
        """Delete a project with everything in it. Requires OWNER."""
        await self._roles.require(Role.OWNER, project_id)
        await self._deletion.delete_project(project_id)

    async def by_ids(self, ids: list[str]) -> list[models.Project | None]:
        """The projects with these ids, in order; None for each that the user may not see."""
        roles = await self._roles.roles_by_project(ids)
        return [
            row if row is not None and row.id in roles else None for row in await self._projects.projects_by_ids(ids)
        ]

    async def find_projects(self, name: str) -> list[models.Project]:
        """The projects that this name may mean, oldest first.

        If several have this name, it means the one that the user owns: nobody can take a name by sharing a project.
        If the user owns several of them or none, the name is ambiguous.
        """
        found = await self._projects.find_projects(name, visible_to=self._roles.seen_by)
        if len(found) < 2:
            return found
        roles = await self._roles.roles_by_project([project.id for project in found])
        owned = [project for project in found if roles.get(project.id) is Role.OWNER]
        return owned if len(owned) == 1 else found

    async def list_projects(self, request: pages.PageRequest) -> pages.Page[models.Project]:
        """A page of the user's projects, oldest first."""
        return await self._projects.list_projects(request, visible_to=self._roles.seen_by)

    async def count_projects(self) -> int:
        """The number of projects that the user may see."""
        return await self._projects.count_projects(visible_to=self._roles.seen_by)

    async def spaces_by_ids(self, ids: Sequence[str]) -> list[models.EmbeddingSpace | None]:
        """The embedding spaces with these ids, in order; None for each that the user may not see."""
        return await self._roles.visible_rows(await self._spaces.spaces_by_ids(ids))

    async def spaces_by_project(self, project_ids: Sequence[str]) -> list[list[models.EmbeddingSpace]]:
        """The embedding spaces of each project."""
        roles = await self._roles.roles_by_project(project_ids)
        found = await self._spaces.spaces_by_project(project_ids)
        return [spaces if id in roles else [] for id, spaces in zip(project_ids, found, strict=True)]

    async def make_space(self, project_id: str) -> models.EmbeddingSpace:
        """Create the embedding space of a project that has none yet."""
        await self._roles.require(Role.VIEWER, project_id)
        return (await self._spaces.ensure_space(project_id))[0]

    async def switch_embedding_model(self, project_id: str, model: str) -> models.EmbeddingSpace:
        """Build an embedding space with another model, then search with it. Requires OWNER."""
        await self._roles.require(Role.OWNER, project_id)
        return await self._space_requests.request_switch(project_id, model)

    async def cancel_embedding_switch(self, project_id: str) -> models.EmbeddingSpace:
        """Abandon the embedding space that is being built. Requires OWNER."""
        await self._roles.require(Role.OWNER, project_id)
        return await self._space_requests.cancel_switch(project_id)

    async def count_space_chunks(self, space_ids: Sequence[str]) -> list[tuple[int, int]]:
        """For each embedding space: how many chunks have a vector, and how many there are."""
        return await self._spaces.count_chunks(space_ids)

    async def document_totals(self, project_ids: Sequence[str]) -> list[DocumentTotals]:
        """The totals of each project's documents."""
        roles = await self._roles.roles_by_project(project_ids)
        found = await self._library.totals_by_project(project_ids)
        return [totals if id in roles else DocumentTotals() for id, totals in zip(project_ids, found, strict=True)]

    async def cache_uses(self, project_id: str) -> tuple[CacheUse, CacheUse]:
        """How often cached search results, and cached vectors of questions, were used."""
        await self._roles.require(Role.VIEWER, project_id)
        return self._search.cache.uses(project_id)

    async def relevance(self, project_ids: list[str]) -> list[Relevance]:
        """For each project, what its scores mean."""
        return await self._search.relevance_by_project(project_ids)

    async def search(self, project_id: str, query: SearchQuery) -> SearchResult:
        """The passages in a project that best match a query."""
        await self._roles.require(Role.VIEWER, project_id)
        return await self._search.search_project(project_id, query)

    @property
    def has_reranker(self) -> bool:
        """Whether this server has a reranker."""
        return self._reranking.is_available

    async def rerank(self, project: models.Project, query: str, passages: Sequence[Passage]) -> RankedPassages:
        """Put passages that were found in a project in the reranker's order."""
        return await self._reranking.rerank_passages(query, passages, local_only=project.local_providers_only)
