"""People: signed in and out, their tokens, their passwords, and who belongs to which project."""

from datetime import datetime
from typing import Annotated

import strawberry

from app import errors
from app.accounts.authentication import bearer
from app.graphql import ids
from app.graphql.context import Info
from app.graphql.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    ValidationError,
)
from app.graphql.inputs import conversion, people
from app.graphql.types.nodes import there
from app.graphql.types.people import AccessToken, User, Viewer
from app.graphql.types.projects import Project
from app.services import MemberRole

_INPUT = strawberry.argument(description="What to do it with.")


@strawberry.type(description="You are signed in. Send the token with every request: `Authorization: Bearer …`.")
class SignInPayload:
    """See its description."""

    token: str = strawberry.field(description="What lets you in; it is shown this once.")
    expires_at: datetime = strawberry.field(description="When it ends if it is not used; using it makes it last.")
    user: User = strawberry.field(description="Who you are.")


@strawberry.type(description="You are signed in by a link, which is used up. Set a password with `changePassword`.")
class RedeemSetupTokenPayload:
    """See its description."""

    token: str = strawberry.field(description="What lets you in; it is shown this once.")
    expires_at: datetime = strawberry.field(description="When it ends if it is not used; using it makes it last.")
    user: User = strawberry.field(description="Who you are.")


@strawberry.type(
    description="Your password is changed. All your sign-ins have ended, this one too; access tokens stay."
)
class ChangePasswordPayload:
    """See its description."""

    user: User = strawberry.field(description="Who you are.")


@strawberry.type(description="You are changed.")
class UpdateViewerPayload:
    """See its description."""

    viewer: Viewer = strawberry.field(description="You as you are now.")


@strawberry.type(description="There is a new access token.")
class CreateAccessTokenPayload:
    """See its description."""

    token: str = strawberry.field(description="The token itself. It is shown this once: only its hash is kept.")
    access_token: AccessToken = strawberry.field(description="What is kept of it.")


@strawberry.type(description="The access token lets nobody in any more.")
class RevokeAccessTokenPayload:
    """See its description."""

    revoked_id: strawberry.ID = strawberry.field(description="The id that it had.")


@strawberry.type(description="The user has the role.")
class SetProjectMemberPayload:
    """See its description."""

    project: Project = strawberry.field(description="The project, with its members as they are now.")


@strawberry.type(description="The user is no member any more.")
class RemoveProjectMemberPayload:
    """See its description."""

    project: Project = strawberry.field(description="The project, with its members as they are now.")


SignInResult = Annotated[
    SignInPayload | ValidationError | RateLimitedError,
    strawberry.union("SignInResult", description="A token, or that you cannot be let in. Never says what is wrong."),
]
RedeemSetupTokenResult = Annotated[
    RedeemSetupTokenPayload | ValidationError,
    strawberry.union("RedeemSetupTokenResult", description="A token, or that the link is used up or too old."),
]
ChangePasswordResult = Annotated[
    ChangePasswordPayload | ValidationError | RateLimitedError,
    strawberry.union("ChangePasswordResult", description="That it is changed, or why not."),
]
UpdateViewerResult = Annotated[
    UpdateViewerPayload | ValidationError,
    strawberry.union("UpdateViewerResult", description="You as you are now, or why you stayed as you were."),
]
CreateAccessTokenResult = Annotated[
    CreateAccessTokenPayload | ValidationError,
    strawberry.union("CreateAccessTokenResult", description="The new token, or why there is none."),
]
RevokeAccessTokenResult = Annotated[
    RevokeAccessTokenPayload | ValidationError | NotFoundError,
    strawberry.union("RevokeAccessTokenResult", description="The id of what has ended, or why it goes on."),
]
SetProjectMemberResult = Annotated[
    SetProjectMemberPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("SetProjectMemberResult", description="The project with its members, or why they stayed."),
]
RemoveProjectMemberResult = Annotated[
    RemoveProjectMemberPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("RemoveProjectMemberResult", description="The project with its members, or why they stayed."),
]


@strawberry.type
class AccountMutations:
    """Mutations of accounts, tokens and members."""

    @strawberry.mutation(description="Sign in with a password. Like `redeemSetupToken`, it needs no credential.")
    async def sign_in(self, info: Info, input: Annotated[people.SignInInput, _INPUT]) -> SignInResult:
        """See its description."""
        signing_in = info.context.services.accounts.signing_in
        done = await signing_in.sign_in(input.email, input.password, info.context.address)
        return SignInPayload(token=done.token, expires_at=done.expires_at, user=User.from_model(done.user))

    @strawberry.mutation(
        description="Sign in with the link that `footnote serve` prints when nobody can sign in yet, or that "
        "`footnote user link` made for you. It works once, for a quarter of an hour."
    )
    async def redeem_setup_token(
        self, info: Info, input: Annotated[people.RedeemSetupTokenInput, _INPUT]
    ) -> RedeemSetupTokenResult:
        """See its description."""
        signing_in = info.context.services.accounts.signing_in
        try:
            done = await signing_in.redeem(input.token, info.context.address)
        except errors.Unauthenticated as error:
            raise errors.Invalid.one("token", "INVALID", error.message) from error
        return RedeemSetupTokenPayload(token=done.token, expires_at=done.expires_at, user=User.from_model(done.user))

    @strawberry.mutation(
        description="End the sign-in that this request shows. False if it shows none: access tokens end with "
        "`revokeAccessToken`."
    )
    async def sign_out(self, info: Info) -> bool:
        """See its description."""
        context, signing_in = info.context, info.context.services.accounts.signing_in
        if context.asker is None or context.asker.via != "SIGN_IN":
            return False
        await signing_in.sign_out(bearer(context.credential), context.user.id, context.address)
        return True

    @strawberry.mutation(
        description="Change your password, or, signed in by a link, set your first one. All your sign-ins end, this "
        "one too: sign in again."
    )
    async def change_password(
        self, info: Info, input: Annotated[people.ChangePasswordInput, _INPUT]
    ) -> ChangePasswordResult:
        """See its description."""
        context, signing_in = info.context, info.context.services.accounts.signing_in
        await signing_in.change_password(
            context.identified, input.current_password, input.new_password, context.address
        )
        return ChangePasswordPayload(user=User.from_model(context.user))

    @strawberry.mutation(description="Change yourself; what is left out stays, null removes it.")
    async def update_viewer(self, info: Info, input: Annotated[people.UpdateViewerInput, _INPUT]) -> UpdateViewerResult:
        """See its description."""
        context, changes = info.context, conversion.values(input)
        model = changes.get("preferred_model")
        if model is not None and (problem := context.services.models.problem(model)):
            raise errors.Invalid.one("preferredModel", "INVALID", problem)
        await context.services.accounts.users.update(context.user.id, changes)
        context.forget()
        return UpdateViewerPayload(viewer=Viewer())

    @strawberry.mutation(
        description="Make a token for a program of yours. It may do what you may. One that is made with another token "
        "ends with that at the latest."
    )
    async def create_access_token(
        self, info: Info, input: Annotated[people.CreateAccessTokenInput, _INPUT]
    ) -> CreateAccessTokenResult:
        """See its description."""
        context, tokens = info.context, info.context.services.accounts.access_tokens
        token, row = await tokens.create_with(context.identified, input.label, input.expires_at, context.address)
        return CreateAccessTokenPayload(token=token, access_token=AccessToken.from_model(row))

    @strawberry.mutation(description="End one of your access tokens, and those that were made with it, for good.")
    async def revoke_access_token(
        self, info: Info, input: Annotated[people.RevokeAccessTokenInput, _INPUT]
    ) -> RevokeAccessTokenResult:
        """See its description."""
        context, tokens = info.context, info.context.services.accounts.access_tokens
        await tokens.revoke(ids.read("AccessToken", input.id), context.user.id, context.address)
        return RevokeAccessTokenPayload(revoked_id=input.id)

    @strawberry.mutation(description="Make a user a member of a project, or change their role. For its OWNERs.")
    async def set_project_member(
        self, info: Info, input: Annotated[people.SetProjectMemberInput, _INPUT]
    ) -> SetProjectMemberResult:
        """See its description."""
        context, accounts = info.context, info.context.services.accounts
        project, role = await _owned(info, input.project_id), MemberRole(input.role.value)
        user = await context.allowed.user_to_add(input.email)
        await accounts.members.set(project.row.id, user.id, role, context.user.id, context.address)
        context.forget()
        return SetProjectMemberPayload(project=project)

    @strawberry.mutation(description="Take a user out of a project. For its OWNERs.")
    async def remove_project_member(
        self, info: Info, input: Annotated[people.RemoveProjectMemberInput, _INPUT]
    ) -> RemoveProjectMemberResult:
        """See its description."""
        context, members = info.context, info.context.services.accounts.members
        project, user_id = await _owned(info, input.project_id), ids.read("User", input.user_id)
        await members.remove(project.row.id, user_id, context.user.id, context.address)
        if user_id != context.user.id:  # who has just left sees it for the last time, as the owner they were
            context.forget()
        return RemoveProjectMemberPayload(project=project)


async def _owned(info: Info, global_id: strawberry.ID) -> Project:
    """A project that the asker decides about. Raises NotFound or Forbidden."""
    id = ids.read("Project", global_id)
    await info.context.allowed.roles.require(id, MemberRole.OWNER, "project")
    return Project.from_model(there(await info.context.loaders.projects.load(id)))
