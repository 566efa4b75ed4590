"""Ids in, rows out: what the fields of one operation ask for one by one is read together, and once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from strawberry.dataloader import DataLoader

from app.database import models
from app.services import Services

Value = TypeVar("Value")


class Loaders:
    """The loaders of one operation; a row that is not there is None."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.projects = DataLoader[str, models.Project | None](services.projects.by_ids)
        self.documents = DataLoader[str, models.Document | None](services.library.by_ids)
        self.chunks = DataLoader[int, models.Chunk | None](services.library.chunks_by_ids)
        self.sessions = DataLoader[str, models.ChatSession | None](services.sessions.by_ids)
        self.messages = DataLoader[str, models.Message | None](services.sessions.messages_by_ids)
        self.users = DataLoader[str, models.User | None](self._users)
        self.spaces = DataLoader[str, models.EmbeddingSpace | None](self._spaces)
        # By project:
        self.active_spaces = DataLoader[str, models.EmbeddingSpace](_each(self._active_space))
        self.all_spaces = DataLoader[str, list[models.EmbeddingSpace]](_each(self._spaces_of))
        self.thresholds = DataLoader[str, float](_each(services.search.threshold))
        self.chunk_counts = DataLoader[str, tuple[int, int]](_each(self._chunks_of))

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
            "User": self.users,
        }
        return await loaders[kind].load(id)

    def forget(self) -> None:
        """Read everything anew: a stream must not show what it read an hour ago."""
        for loader in vars(self).values():
            if isinstance(loader, DataLoader):
                loader.clear_all()

    async def _users(self, ids: Sequence[str]) -> list[models.User | None]:
        owner = self._services.owner
        return [owner if id == owner.id else None for id in ids]

    async def _spaces(self, ids: Sequence[str]) -> list[models.EmbeddingSpace | None]:
        async with self._services.database.read() as db:
            return [await db.get(models.EmbeddingSpace, id) for id in ids]

    async def _active_space(self, project_id: str) -> models.EmbeddingSpace:
        """The space that is searched; a project without documents gets its space when somebody looks."""
        async with self._services.database.read() as db:
            space = await self._services.spaces.active(db, project_id)
        return space or (await self._services.spaces.ensure(project_id))[0]

    async def _spaces_of(self, project_id: str) -> list[models.EmbeddingSpace]:
        async with self._services.database.read() as db:
            return await self._services.spaces.all(db, project_id)

    async def _chunks_of(self, project_id: str) -> tuple[int, int]:
        """Chunks of the project that have vectors, and all that are known of so far."""
        documents = await self._services.library.changed_since(project_id, {})
        done = sum(document.chunks_done for document in documents)
        return done, sum(max(document.chunks_done, document.chunks_total or 0) for document in documents)


def _each(load: Callable[[str], Awaitable[Value]]) -> Callable[[list[str]], Awaitable[list[Value | BaseException]]]:
    """For what can only be asked for one by one: side by side, and each with its own failure."""

    async def load_all(keys: list[str]) -> list[Value | BaseException]:
        return await asyncio.gather(*map(load, keys), return_exceptions=True)

    return load_all
