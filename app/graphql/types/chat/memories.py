"""Memories: facts about a user."""

from datetime import datetime

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.types.nodes import NodeType


@strawberry.type(
    name="Memory",
    description="A fact about you that is given to the model in this project. Important and recent ones "
    "are given first.",
)
class MemoryType(NodeType):
    row_type = models.Memory

    content: str = strawberry.field(description="Text of the fact.")
    importance: float = strawberry.field(description="Importance of the fact, between 0 and 1.")
    created_at: datetime = strawberry.field(description="When the memory was stored or last renewed.")

    @classmethod
    def from_model(cls, row: models.Memory) -> "MemoryType":
        return cls(
            id=ids.encode("Memory", row.id), content=row.content, importance=row.importance, created_at=row.created_at
        )
