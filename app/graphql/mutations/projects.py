"""Mutations about projects."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import input_values
from app.graphql.inputs import projects as inputs
from app.graphql.types.errors import ConflictError, ForbiddenError, NotFoundError, ValidationError
from app.graphql.types.projects import ProjectType

_INPUT = strawberry.argument(description="Input of the mutation.")


@strawberry.type(description="The project was created.")
class CreateProjectPayload:
    project: ProjectType = strawberry.field(description="The new project.")


@strawberry.type(description="The project was updated.")
class UpdateProjectPayload:
    project: ProjectType = strawberry.field(description="The updated project.")


@strawberry.type(description="The project was deleted, with everything in it.")
class DeleteProjectPayload:
    deleted_project_id: strawberry.ID = strawberry.field(description="Id of the deleted project.")


CreateProjectResult = Annotated[
    CreateProjectPayload | ValidationError | ConflictError,
    strawberry.union("CreateProjectResult", description="The new project, or an error."),
]
UpdateProjectResult = Annotated[
    UpdateProjectPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("UpdateProjectResult", description="The updated project, or an error."),
]
DeleteProjectResult = Annotated[
    DeleteProjectPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("DeleteProjectResult", description="The id of the deleted project, or an error."),
]


@strawberry.type
class ProjectMutations:
    """Mutations about projects."""

    @strawberry.mutation(description="Create a project. You become its owner.")
    async def create_project(
        self, info: Info, input: Annotated[inputs.CreateProjectInput, _INPUT]
    ) -> CreateProjectResult:
        local = bool(input.local_providers_only)
        row = await info.context.access.projects.create_project(
            input.name, input.description, local_providers_only=local
        )
        return CreateProjectPayload(project=ProjectType.from_model(row))

    @strawberry.mutation(
        description="Update a project. Omitted fields keep their value; null resets a field to its default. Requires "
        "the OWNER role."
    )
    async def update_project(
        self, info: Info, input: Annotated[inputs.UpdateProjectInput, _INPUT]
    ) -> UpdateProjectResult:
        changes = input_values.provided_values(input, without=("id", "answer_defaults"))
        if input.answer_defaults is not strawberry.UNSET:
            defaults = input.answer_defaults
            changes["answer_options"] = None if defaults is None else input_values.provided_values(defaults)
        row = await info.context.access.projects.update_project(ids.read("Project", input.id), changes)
        return UpdateProjectPayload(project=ProjectType.from_model(row))

    @strawberry.mutation(
        description="Delete a project with its documents, chat sessions and answers. Requires the OWNER role."
    )
    async def delete_project(
        self, info: Info, input: Annotated[inputs.DeleteProjectInput, _INPUT]
    ) -> DeleteProjectResult:
        await info.context.access.projects.delete_project(ids.read("Project", input.id))
        return DeleteProjectPayload(deleted_project_id=input.id)
