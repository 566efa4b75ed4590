"""A memory's row in; a fact that is kept about the asker out."""

from datetime import datetime

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.types.nodes import Node


@strawberry.type(
    description="A fact kept about the asker in this project; loaded into answers by importance and recency."
)
class Memory(Node):
    """See its description."""

    row_type = models.Memory

    content: str = strawberry.field(description="The fact.")
    importance: float = strawberry.field(description="How much it matters, 0 to 1.")
    created_at: datetime = strawberry.field(description="When it was told, or told again.")

    @classmethod
    def from_model(cls, row: models.Memory) -> "Memory":
        """Of a memory's row."""
        return cls(
            id=ids.encode("Memory", row.id), content=row.content, importance=row.importance, created_at=row.created_at
        )
