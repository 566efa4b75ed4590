"""Ids in, rows out: what the fields of one operation ask for one by one is read together, and once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from strawberry.dataloader import DataLoader

from app.database import models
from app.services import Services

Value = TypeVar("Value")


class Loaders:
    """The loaders of one operation of `user`; a row that is not there is None."""

    def __init__(self, services: Services, user: models.User) -> None:
        self._services = services
        self._user = user
        self.projects = DataLoader[str, models.Project | None](services.projects.by_ids)
        self.documents = DataLoader[str, models.Document | None](services.library.by_ids)
        self.chunks = DataLoader[int, models.Chunk | None](services.library.chunks_by_ids)
        self.sessions = DataLoader[str, models.ChatSession | None](services.sessions.by_ids)
        self.messages = DataLoader[str, models.Message | None](services.sessions.messages_by_ids)
        self.memories = DataLoader[str, models.Memory | None](self._memories)
        self.users = DataLoader[str, models.User | None](self._users)
        self.spaces = DataLoader[str, models.EmbeddingSpace | None](services.spaces.by_ids)
        # By project:
        self.all_spaces = DataLoader[str, list[models.EmbeddingSpace]](self._spaces_of)
        self.thresholds = DataLoader[str, float](services.search.thresholds)
        self.project_memories = DataLoader[str, list[models.Memory]](self._memories_of)
        self.chunk_counts = DataLoader[str, tuple[int, int]](services.library.chunk_totals)

        self._of_parents: dict[str, DataLoader[str, Any]] = {}

    async def of_parent(
        self, load: Callable[..., Awaitable[Sequence[Value]]], parent_id: str, *arguments: object
    ) -> Value:
        """`load([parent_id], *arguments)[0]`, read together for all parents that are asked with the same arguments."""
        key = f"{load.__qualname__}{arguments!r}"
        loader = self._of_parents.get(key)
        if loader is None:

            async def load_all(parent_ids: list[str]) -> Sequence[Value]:
                return await load(parent_ids, *arguments)

            loader = self._of_parents[key] = DataLoader[str, Any](load_all)
        return await loader.load(parent_id)

    async def row(self, kind: str, id: str) -> object | None:
        """The row of any type that has global ids."""
        if kind == "Chunk":
            return await self.chunks.load(int(id))
        loaders: dict[str, DataLoader[str, Any]] = {
            "Project": self.projects,
            "Document": self.documents,
            "EmbeddingSpace": self.spaces,
            "ChatSession": self.sessions,
            "Message": self.messages,
            "Memory": self.memories,
            "User": self.users,
        }
        return await loaders[kind].load(id)

    async def _memories(self, ids: list[str]) -> list[models.Memory | None]:
        """Another user's memories do not exist."""
        return await self._services.memories.by_ids(ids, self._user.id)

    async def _memories_of(self, project_ids: list[str]) -> list[list[models.Memory]]:
        return await self._services.memories.of(project_ids, self._user.id)

    async def _users(self, ids: Sequence[str]) -> list[models.User | None]:
        owner = self._services.owner
        return [owner if id == owner.id else None for id in ids]

    async def _spaces_of(self, project_ids: list[str]) -> list[list[models.EmbeddingSpace] | BaseException]:
        """A project without documents gets its space when somebody looks; each has its own failure."""

        async def ensured(project_id: str, spaces: list[models.EmbeddingSpace]) -> list[models.EmbeddingSpace]:
            return spaces or [(await self._services.spaces.ensure(project_id))[0]]

        found = zip(project_ids, await self._services.spaces.of_projects(project_ids), strict=True)
        return await asyncio.gather(*(ensured(*one) for one in found), return_exceptions=True)
