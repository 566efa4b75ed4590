"""Users' rows in; who is asking out."""

from datetime import datetime

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.types.nodes import Node


@strawberry.type(description="Somebody who asks.")
class User(Node):
    """See its description."""

    row_type = models.User

    email: str = strawberry.field(description="Address; the local owner has `owner@localhost`.")
    name: str | None = strawberry.field(description="Name to show.")
    preferred_model: str | None = strawberry.field(description="Model that this user likes best, as `provider/model`.")
    created_at: datetime = strawberry.field(description="When the user came to be.")

    @classmethod
    def from_model(cls, row: models.User) -> "User":
        """Of a user's row."""
        return cls(
            id=ids.encode("User", row.id),
            email=row.email,
            name=row.name,
            preferred_model=row.preferred_model,
            created_at=row.created_at,
        )


@strawberry.type(description="Who is asking. Without sign-in that is the local owner.")
class Viewer:
    """See its description."""

    user: User = strawberry.field(description="The user who asks.")
