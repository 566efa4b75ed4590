"""Projects: made, changed and deleted."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.errors import ConflictError, ForbiddenError, NotFoundError, ValidationError
from app.graphql.inputs import conversion, requests
from app.graphql.types.projects import Project

_INPUT = strawberry.argument(description="What to do it with.")


@strawberry.type(description="The project was made.")
class CreateProjectPayload:
    """See its description."""

    project: Project = strawberry.field(description="The new project.")


@strawberry.type(description="The project was changed.")
class UpdateProjectPayload:
    """See its description."""

    project: Project = strawberry.field(description="The project as it is now.")


@strawberry.type(description="The project was deleted, with everything in it.")
class DeleteProjectPayload:
    """See its description."""

    deleted_project_id: strawberry.ID = strawberry.field(description="The id that it had.")


CreateProjectResult = Annotated[
    CreateProjectPayload | ValidationError | ConflictError,
    strawberry.union("CreateProjectResult", description="The new project, or why there is none."),
]
UpdateProjectResult = Annotated[
    UpdateProjectPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("UpdateProjectResult", description="The project as it is now, or why it stayed as it was."),
]
DeleteProjectResult = Annotated[
    DeleteProjectPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("DeleteProjectResult", description="The id of what is gone, or why it stays."),
]


@strawberry.type
class ProjectMutations:
    """Mutations of projects."""

    @strawberry.mutation(description="Make a project.")
    async def create_project(
        self, info: Info, input: Annotated[requests.CreateProjectInput, _INPUT]
    ) -> CreateProjectResult:
        """See its description."""
        local = bool(input.local_providers_only)
        row = await info.context.allowed.projects.create(input.name, input.description, local_providers_only=local)
        return CreateProjectPayload(project=Project.from_model(row))

    @strawberry.mutation(description="Change a project; what is left out stays, null resets to the default.")
    async def update_project(
        self, info: Info, input: Annotated[requests.UpdateProjectInput, _INPUT]
    ) -> UpdateProjectResult:
        """See its description."""
        changes = conversion.values(input, without=("id", "answer_defaults"))
        if input.answer_defaults is not strawberry.UNSET:
            defaults = input.answer_defaults
            changes["answer_options"] = None if defaults is None else conversion.values(defaults)
        row = await info.context.allowed.projects.update(ids.read("Project", input.id), changes)
        return UpdateProjectPayload(project=Project.from_model(row))

    @strawberry.mutation(description="Delete a project with its documents, chat sessions and answers.")
    async def delete_project(
        self, info: Info, input: Annotated[requests.DeleteProjectInput, _INPUT]
    ) -> DeleteProjectResult:
        """See its description."""
        await info.context.allowed.projects.delete(ids.read("Project", input.id))
        return DeleteProjectPayload(deleted_project_id=input.id)
