"""Loaders: batch the rows that the fields of one operation need, and read each row once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from strawberry.dataloader import DataLoader

from app.chat.messages import Place, QuestionTotals
from app.database import models
from app.knowledge.library import DocumentTotals
from app.knowledge.parsing.pdf_pages import Areas, ChunkSpan
from app.knowledge.relevance import Relevance
from app.services import Member, MemberRole, UserAccess
from app.statuses import EmbeddingSpaceState

Value = TypeVar("Value")


class Loaders:
    """The loaders of one operation. Rows that the user has no access to are None, like rows that do not exist.

    Nothing here refers back to the loaders or their context: rows can be megabytes, and reference cycles are only freed
    by the garbage collector, which runs rarely.
    """

    def __init__(self, access: UserAccess) -> None:
        projects, documents, chats = access.projects, access.documents, access.chats
        self.projects = DataLoader[str, models.Project | None](projects.by_ids)
        self.documents = DataLoader[str, models.Document | None](documents.by_ids)
        self.chunks = DataLoader[int, models.Chunk | None](documents.chunks_by_ids)
        self.quote_areas = DataLoader[ChunkSpan, Areas](documents.find_quotes)
        self.sessions = DataLoader[str, models.ChatSession | None](chats.by_ids)
        self.messages = DataLoader[str, models.Message | None](chats.messages_by_ids)
        self.feedback = DataLoader[str, models.AnswerRating | None](access.feedback.ratings_by_answer)
        self.alternatives = DataLoader[Place, list[models.Message]](chats.list_alternatives)
        self.memories = DataLoader[str, models.Memory | None](access.memories.by_ids)
        self.users = DataLoader[str, models.User | None](access.people.by_ids)
        self.access_tokens = DataLoader[str, models.AccessToken | None](access.account.tokens_by_ids)
        self.spaces = DataLoader[str, models.EmbeddingSpace | None](projects.spaces_by_ids)
        self.space_chunks = DataLoader[str, tuple[int, int]](projects.count_space_chunks)
        # By project:
        self.all_spaces = DataLoader[str, list[models.EmbeddingSpace]](partial(_load_spaces, access))
        self.relevance = DataLoader[str, Relevance](projects.relevance)
        self.project_memories = DataLoader[str, list[models.Memory]](access.memories.memories_by_project)
        self.document_totals = DataLoader[str, DocumentTotals](projects.document_totals)
        self.question_totals = DataLoader[str, QuestionTotals](chats.question_totals)
        self.helpful_rates = DataLoader[str, float | None](access.feedback.helpful_rates)
        self.members = DataLoader[str, list[Member]](access.people.members)
        self.viewer_roles = DataLoader[str, MemberRole](access.people.own_roles)

        self._by_parent: dict[str, DataLoader[str, Any]] = {}

    async def load_for_parent(
        self, load: Callable[..., Awaitable[Sequence[Value]]], parent_id: str, *arguments: object, **named: object
    ) -> Value:
        """`load([parent_id], *arguments, **named)[0]`, batched over all parents with the same arguments."""
        key = f"{load.__qualname__}{arguments!r}{named!r}"
        loader = self._by_parent.get(key)
        if loader is None:

            async def load_all(parent_ids: list[str]) -> Sequence[Value]:
                return await load(parent_ids, *arguments, **named)

            loader = self._by_parent[key] = DataLoader[str, Any](load_all)
        return await loader.load(parent_id)

    async def load_row(self, kind: str, id: str) -> object | None:
        """Load a row of any type that has a global id."""
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
            "AccessToken": self.access_tokens,
        }
        return await loaders[kind].load(id)


async def _load_spaces(access: UserAccess, project_ids: list[str]) -> list[list[models.EmbeddingSpace] | BaseException]:
    """The embedding spaces of each project, or its error. A project without documents gets its space now."""

    async def load_or_create(project_id: str, spaces: list[models.EmbeddingSpace]) -> list[models.EmbeddingSpace]:
        if any(space.state == EmbeddingSpaceState.ACTIVE for space in spaces):
            return spaces
        return [*spaces, await access.projects.make_space(project_id)]

    found = zip(project_ids, await access.projects.spaces_by_project(project_ids), strict=True)
    return await asyncio.gather(*(load_or_create(*one) for one in found), return_exceptions=True)
