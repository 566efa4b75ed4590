"""Inputs about sign-ins, tokens, members and the viewer."""

from datetime import datetime

import strawberry

from app.graphql.types.people import ProjectRoleType


@strawberry.input(description="Parameters of `signIn`.")
class SignInInput:
    email: str = strawberry.field(description="Your email address.")
    password: str = strawberry.field(description="Your password.")


@strawberry.input(description="Parameters of `redeemSetupToken`.")
class RedeemSetupTokenInput:
    token: str = strawberry.field(description="The token in the link, starting with `fn_setup_`.")


@strawberry.input(description="Parameters of `changePassword`.")
class ChangePasswordInput:
    current_password: str | None = strawberry.field(
        default=None, description="Your current password. Omit it if you have none yet."
    )
    new_password: str = strawberry.field(
        description="Your new password. At least 8 characters; there are no other rules."
    )


@strawberry.input(description="Parameters of `updateViewer`. Omitted fields keep their value; null clears a field.")
class UpdateViewerInput:
    name: str | None = strawberry.field(default=strawberry.UNSET, description="Your display name.")
    preferred_model: str | None = strawberry.field(
        default=strawberry.UNSET, description="Your preferred chat model, as `provider/model`."
    )


@strawberry.input(description="Parameters of `createAccessToken`.")
class CreateAccessTokenInput:
    label: str = strawberry.field(description="Label describing what the token is for.")
    expires_at: datetime | None = strawberry.field(
        default=None, description="When the token expires, with a time zone. If null, it does not expire."
    )


@strawberry.input(description="Parameters of `revokeAccessToken`.")
class RevokeAccessTokenInput:
    id: strawberry.ID = strawberry.field(description="Id of the access token; not the token itself.")


@strawberry.input(description="Parameters of `setProjectMember`.")
class SetProjectMemberInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project. You must be one of its owners.")
    email: str = strawberry.field(
        description="Email address of a user who shares a project with you, or of any user if the "
        "operator has enabled `MEMBERS_BY_ADDRESS`. Otherwise, ask the operator to add them."
    )
    role: ProjectRoleType = strawberry.field(description="The user's role. Replaces their current role, if any.")


@strawberry.input(description="Parameters of `removeProjectMember`.")
class RemoveProjectMemberInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project. You must be one of its owners.")
    user_id: strawberry.ID = strawberry.field(description="Id of the member to remove.")
