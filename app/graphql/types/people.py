"""Users, members of projects, access tokens and the viewer."""

from datetime import datetime
from enum import Enum

import strawberry

from app.database import models
from app.graphql import ids
from app.graphql.types.nodes import NodeType
from app.services import Member as MemberOfProject


@strawberry.enum(name="ProjectRole", description="Role of a member in a project.")
class ProjectRoleType(Enum):
    OWNER = strawberry.enum_value("OWNER", description="Can do everything, including changing members and settings.")
    EDITOR = strawberry.enum_value("EDITOR", description="Can also add, change and delete documents.")
    VIEWER = strawberry.enum_value("VIEWER", description="Can read, search and chat.")


@strawberry.type(name="User", description="A user of this server.")
class UserType(NodeType):
    row_type = models.User

    email: str = strawberry.field(description="Email address. The local owner has `owner@localhost`.")
    name: str | None = strawberry.field(description="Display name.")
    preferred_model: str | None = strawberry.field(description="Preferred chat model, as `provider/model`.")
    created_at: datetime = strawberry.field(description="When the user was created.")

    @classmethod
    def from_model(cls, row: models.User) -> "UserType":
        return cls(
            id=ids.encode("User", row.id),
            email=row.email,
            name=row.name,
            preferred_model=row.preferred_model,
            created_at=row.created_at,
        )


@strawberry.type(name="Member", description="A member of a project.")
class MemberType:
    user: UserType = strawberry.field(description="The user.")
    role: ProjectRoleType = strawberry.field(description="The user's role in the project.")

    @classmethod
    def from_model(cls, member: MemberOfProject) -> "MemberType":
        return cls(user=UserType.from_model(member.user), role=ProjectRoleType(member.role.value))


@strawberry.type(
    name="AccessToken",
    description="A token for one of your programs. The token itself is shown only when it is created.",
)
class AccessTokenType(NodeType):
    row_type = models.AccessToken

    label: str = strawberry.field(description="Label describing what the token is for.")
    created_at: datetime = strawberry.field(description="When the token was created.")
    expires_at: datetime | None = strawberry.field(description="When the token expires. Null if it does not.")
    last_used_at: datetime | None = strawberry.field(
        description="When the token was last used, to the minute. Null if it never was."
    )

    @classmethod
    def from_model(cls, row: models.AccessToken) -> "AccessTokenType":
        return cls(
            id=ids.encode("AccessToken", row.id),
            label=row.label,
            created_at=row.created_at,
            expires_at=row.expires_at,
            last_used_at=row.last_used_at,
        )
