"""Users' rows, members and tokens in; who is asking, and who may do what, out."""

from datetime import datetime
from enum import Enum

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.types.nodes import Node, there
from app.services import Member as MemberOfProject


@strawberry.enum(description="What a member of a project may do.")
class ProjectRole(Enum):
    """See its description."""

    OWNER = strawberry.enum_value("OWNER", description="Everything, and decides about its members and its settings.")
    EDITOR = strawberry.enum_value("EDITOR", description="Adds, changes and deletes documents too.")
    VIEWER = strawberry.enum_value("VIEWER", description="Reads, searches and chats.")


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


@strawberry.type(description="A user and what they may do in a project.")
class Member:
    """See its description."""

    user: User = strawberry.field(description="The user.")
    role: ProjectRole = strawberry.field(description="What they may do.")

    @classmethod
    def of(cls, member: MemberOfProject) -> "Member":
        """Of a user and their role."""
        return cls(user=User.from_model(member.user), role=ProjectRole(member.role.value))


@strawberry.type(
    description="A token that a program of yours shows. The token itself was shown once, when it was made."
)
class AccessToken(Node):
    """See its description."""

    row_type = models.AccessToken

    label: str = strawberry.field(description="What it is for.")
    created_at: datetime = strawberry.field(description="When it was made.")
    expires_at: datetime | None = strawberry.field(description="When it ends by itself, if ever.")
    last_used_at: datetime | None = strawberry.field(description="When it was last used, to the minute.")

    @classmethod
    def from_model(cls, row: models.AccessToken) -> "AccessToken":
        """Of an access token's row."""
        return cls(
            id=ids.encode("AccessToken", row.id),
            label=row.label,
            created_at=row.created_at,
            expires_at=row.expires_at,
            last_used_at=row.last_used_at,
        )


@strawberry.type(description="Who is asking. Without sign-in that is the local owner.")
class Viewer:
    """See its description."""

    @strawberry.field(description="The user who asks.")
    async def user(self, info: Info) -> User:
        """See its description."""
        return User.from_model(there(await info.context.loaders.users.load(info.context.user.id)))

    @strawberry.field(description="Your access tokens that were not revoked, the newest first; only you see them.")
    async def access_tokens(self, info: Info) -> list[AccessToken]:
        """See its description."""
        rows = await info.context.services.accounts.access_tokens.of(info.context.user.id)
        return [AccessToken.from_model(row) for row in rows]
