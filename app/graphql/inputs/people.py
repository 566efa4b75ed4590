"""What clients send about people: sign-ins, tokens, members, and themselves. `inputs` has all others."""

from datetime import datetime

import strawberry

from app.graphql.types.people import ProjectRole


@strawberry.input(description="Who you are, by your password.")
class SignInInput:
    """See its description."""

    email: str = strawberry.field(description="Your e-mail address.")
    password: str = strawberry.field(description="Your password.")


@strawberry.input(description="The token of a link that lets you in once.")
class RedeemSetupTokenInput:
    """See its description."""

    token: str = strawberry.field(description="`fn_setup_…`, as it stands in the link.")


@strawberry.input(description="Your new password, and the one before it.")
class ChangePasswordInput:
    """See its description."""

    current_password: str | None = strawberry.field(
        default=None, description="Your password until now; nothing if you have none yet."
    )
    new_password: str = strawberry.field(description="Your password from now on: at least 8 characters, no other rule.")


@strawberry.input(description="Changes of yourself. What is left out stays, null removes it.")
class UpdateViewerInput:
    """See its description."""

    name: str | None = strawberry.field(default=strawberry.UNSET, description="Name to show.")
    preferred_model: str | None = strawberry.field(
        default=strawberry.UNSET, description="Model that you like best, as `provider/model`."
    )


@strawberry.input(description="A new token for a program of yours.")
class CreateAccessTokenInput:
    """See its description."""

    label: str = strawberry.field(description="What it is for, to recognise it by.")
    expires_at: datetime | None = strawberry.field(
        default=None, description="When it ends by itself, with its time zone; never if not given."
    )


@strawberry.input(description="Which of your access tokens to end.")
class RevokeAccessTokenInput:
    """See its description."""

    id: strawberry.ID = strawberry.field(description="The access token's id, not the token itself.")


@strawberry.input(description="Who shall have which role in a project.")
class SetProjectMemberInput:
    """See its description."""

    project_id: strawberry.ID = strawberry.field(description="The project; you are an OWNER of it.")
    email: str = strawberry.field(
        description="Address of somebody with whom you share a project, or of anybody with an account here where the "
        "operator lets you know of them (`MEMBERS_BY_ADDRESS`). The operator can add all others."
    )
    role: ProjectRole = strawberry.field(description="What they may do, in place of a role they have.")


@strawberry.input(description="Who shall leave a project.")
class RemoveProjectMemberInput:
    """See its description."""

    project_id: strawberry.ID = strawberry.field(description="The project; you are an OWNER of it.")
    user_id: strawberry.ID = strawberry.field(description="The user.")
