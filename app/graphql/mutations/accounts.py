"""Mutations about sign-ins, passwords, access tokens and members of projects."""

from datetime import datetime
from typing import Annotated

import strawberry

from app import errors
from app.accounts.authentication import bearer_credential
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import accounts as inputs
from app.graphql.inputs import input_values
from app.graphql.mutations import INPUT
from app.graphql.types.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    ValidationError,
)
from app.graphql.types.people import AccessTokenType, UserType
from app.graphql.types.projects import ProjectType
from app.graphql.types.viewer import ViewerType
from app.services import MemberRole


@strawberry.type(description="A successful sign-in. Send the token with every request, as `Authorization: Bearer …`.")
class SignInPayload:
    token: str = strawberry.field(description="Token of this sign-in. It is shown only once.")
    expires_at: datetime = strawberry.field(description="When the token expires. Using it extends this time.")
    user: UserType = strawberry.field(description="The user who signed in.")


@strawberry.type(
    description="A successful sign-in. The link cannot be used again: set a password with `changePassword`."
)
class RedeemSetupTokenPayload:
    token: str = strawberry.field(description="Token of this sign-in. It is shown only once.")
    expires_at: datetime = strawberry.field(description="When the token expires. Using it extends this time.")
    user: UserType = strawberry.field(description="The user who signed in.")


@strawberry.type(
    description="The password was changed. All your sign-ins have ended, including this one; access tokens stay valid."
)
class ChangePasswordPayload:
    user: UserType = strawberry.field(description="The user, with the new password.")


@strawberry.type(description="Your profile was updated.")
class UpdateViewerPayload:
    viewer: ViewerType = strawberry.field(description="You, with the updated profile.")


@strawberry.type(description="The access token was created.")
class CreateAccessTokenPayload:
    token: str = strawberry.field(
        description="The token itself. It is shown only once: the server keeps only a hash of it."
    )
    access_token: AccessTokenType = strawberry.field(
        description="Details of the access token, without the token itself."
    )


@strawberry.type(description="The access token was revoked.")
class RevokeAccessTokenPayload:
    revoked_id: strawberry.ID = strawberry.field(description="Id of the revoked access token.")


@strawberry.type(description="The user is a member with the given role.")
class SetProjectMemberPayload:
    project: ProjectType = strawberry.field(description="The project, with its current members.")


@strawberry.type(description="The user is no longer a member.")
class RemoveProjectMemberPayload:
    project: ProjectType = strawberry.field(description="The project, with its current members.")


SignInResult = Annotated[
    SignInPayload | ValidationError | RateLimitedError,
    strawberry.union(
        "SignInResult",
        description="The sign-in, or an error. The error does not say whether the email address or the password was "
        "wrong.",
    ),
]
RedeemSetupTokenResult = Annotated[
    RedeemSetupTokenPayload | ValidationError,
    strawberry.union(
        "RedeemSetupTokenResult", description="The sign-in, or an error if the link was already used or has expired."
    ),
]
ChangePasswordResult = Annotated[
    ChangePasswordPayload | ValidationError | RateLimitedError,
    strawberry.union("ChangePasswordResult", description="The user, or an error."),
]
UpdateViewerResult = Annotated[
    UpdateViewerPayload | ValidationError,
    strawberry.union("UpdateViewerResult", description="The updated viewer, or an error."),
]
CreateAccessTokenResult = Annotated[
    CreateAccessTokenPayload | ValidationError,
    strawberry.union("CreateAccessTokenResult", description="The new access token, or an error."),
]
RevokeAccessTokenResult = Annotated[
    RevokeAccessTokenPayload | ValidationError | NotFoundError,
    strawberry.union("RevokeAccessTokenResult", description="The id of the revoked access token, or an error."),
]
SetProjectMemberResult = Annotated[
    SetProjectMemberPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("SetProjectMemberResult", description="The project with its members, or an error."),
]
RemoveProjectMemberResult = Annotated[
    RemoveProjectMemberPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("RemoveProjectMemberResult", description="The project with its members, or an error."),
]


@strawberry.type
class AccountMutations:
    """Mutations about accounts, tokens and members."""

    @strawberry.mutation(description="Sign in with a password. Requires no credential.")
    async def sign_in(self, info: Info, input: Annotated[inputs.SignInInput, INPUT]) -> SignInResult:
        signing_in = info.context.services.sign_ins
        signed_in = await signing_in.sign_in(input.email, input.password, info.context.address)
        return SignInPayload(
            token=signed_in.token, expires_at=signed_in.expires_at, user=UserType.from_model(signed_in.user)
        )

    @strawberry.mutation(
        description="Sign in with a link from the operator: `footnote serve` prints one until a user can sign in, and "
        "`footnote user link` creates one. Each link can be used once and expires after 15 minutes. Requires no "
        "credential."
    )
    async def redeem_setup_token(
        self, info: Info, input: Annotated[inputs.RedeemSetupTokenInput, INPUT]
    ) -> RedeemSetupTokenResult:
        signing_in = info.context.services.sign_ins
        try:
            signed_in = await signing_in.redeem_link(input.token, info.context.address)
        except errors.Unauthenticated as error:
            raise errors.Invalid.at("token", "INVALID", error.message) from error
        return RedeemSetupTokenPayload(
            token=signed_in.token, expires_at=signed_in.expires_at, user=UserType.from_model(signed_in.user)
        )

    @strawberry.mutation(
        description="End the sign-in that this request uses. Returns false if it uses none; to end an access token, "
        "use `revokeAccessToken`."
    )
    async def sign_out(self, info: Info) -> bool:
        context, signing_in = info.context, info.context.services.sign_ins
        if context.caller is None or context.caller.via != "SIGN_IN":
            return False
        return await signing_in.sign_out(bearer_credential(context.credential), context.user.id, context.address)

    @strawberry.mutation(
        description="Change your password, or set your first one after signing in with a link. Ends all your "
        "sign-ins, including this one."
    )
    async def change_password(
        self, info: Info, input: Annotated[inputs.ChangePasswordInput, INPUT]
    ) -> ChangePasswordResult:
        context, signing_in = info.context, info.context.services.sign_ins
        await signing_in.change_password(
            context.required_caller, input.current_password, input.new_password, context.address
        )
        return ChangePasswordPayload(user=UserType.from_model(context.user))

    @strawberry.mutation(description="Update your profile. Omitted fields keep their value; null clears a field.")
    async def update_viewer(self, info: Info, input: Annotated[inputs.UpdateViewerInput, INPUT]) -> UpdateViewerResult:
        context, changes = info.context, input_values.provided_values(input)
        await context.access.account.update_profile(changes)
        context.forget_rows()
        return UpdateViewerPayload(viewer=ViewerType())

    @strawberry.mutation(
        description="Create an access token for a program. It has the same access as you. A token created with "
        "another token expires no later than that one."
    )
    async def create_access_token(
        self, info: Info, input: Annotated[inputs.CreateAccessTokenInput, INPUT]
    ) -> CreateAccessTokenResult:
        context, account = info.context, info.context.access.account
        token, row = await account.create_token(context.required_caller, input.label, input.expires_at, context.address)
        return CreateAccessTokenPayload(token=token, access_token=AccessTokenType.from_model(row))

    @strawberry.mutation(description="Revoke one of your access tokens, and all tokens that were created with it.")
    async def revoke_access_token(
        self, info: Info, input: Annotated[inputs.RevokeAccessTokenInput, INPUT]
    ) -> RevokeAccessTokenResult:
        context = info.context
        await context.access.account.revoke_token(ids.read("AccessToken", input.id), context.address)
        return RevokeAccessTokenPayload(revoked_id=input.id)

    @strawberry.mutation(description="Add a user to a project, or change a member's role. Requires the OWNER role.")
    async def set_project_member(
        self, info: Info, input: Annotated[inputs.SetProjectMemberInput, INPUT]
    ) -> SetProjectMemberResult:
        context, project = info.context, await _find_project(info, input.project_id)
        role = MemberRole(input.role.value)
        await context.access.people.set_member(project.row.id, input.email, role, context.address)
        context.forget_rows()
        return SetProjectMemberPayload(project=project)

    @strawberry.mutation(description="Remove a member from a project. Requires the OWNER role.")
    async def remove_project_member(
        self, info: Info, input: Annotated[inputs.RemoveProjectMemberInput, INPUT]
    ) -> RemoveProjectMemberResult:
        context, project = info.context, await _find_project(info, input.project_id)
        user_id = ids.read("User", input.user_id)
        await context.access.people.remove_member(project.row.id, user_id, context.address)
        if user_id != context.user.id:  # users who remove themselves may still see this result
            context.forget_rows()
        return RemoveProjectMemberPayload(project=project)


async def _find_project(info: Info, global_id: strawberry.ID) -> ProjectType:
    """The project. Raises NotFound if the caller has no access to it."""
    id = ids.read("Project", global_id)
    row = await info.context.loaders.projects.load(id)
    if row is None:
        raise errors.NotFound("project", id)
    return ProjectType.from_model(row)
