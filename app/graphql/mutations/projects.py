"""Mutations about projects."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import input_values
from app.graphql.inputs import projects as inputs
from app.graphql.mutations import INPUT
from app.graphql.types.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    UnavailableError,
    ValidationError,
)
from app.graphql.types.projects import EmbeddingSpaceType, ProjectType


@strawberry.type(description="The project was created.")
class CreateProjectPayload:
    project: ProjectType = strawberry.field(description="The new project.")


@strawberry.type(description="The project was updated.")
class UpdateProjectPayload:
    project: ProjectType = strawberry.field(description="The updated project.")


@strawberry.type(description="The project was deleted, with everything in it.")
class DeleteProjectPayload:
    deleted_project_id: strawberry.ID = strawberry.field(description="Id of the deleted project.")


@strawberry.type(description="The project will use this embedding space, or already does.")
class SwitchEmbeddingModelPayload:
    space: EmbeddingSpaceType = strawberry.field(description="The space of the requested model.")


@strawberry.type(description="The embedding space is no longer built; its vectors are kept for a day.")
class CancelEmbeddingSwitchPayload:
    space: EmbeddingSpaceType = strawberry.field(description="The space that was being built.")


SwitchEmbeddingModelResult = Annotated[
    SwitchEmbeddingModelPayload | ValidationError | NotFoundError | ForbiddenError | ConflictError | UnavailableError,
    strawberry.union("SwitchEmbeddingModelResult", description="The space of the requested model, or an error."),
]
CancelEmbeddingSwitchResult = Annotated[
    CancelEmbeddingSwitchPayload | NotFoundError | ForbiddenError | ConflictError,
    strawberry.union("CancelEmbeddingSwitchResult", description="The space that was being built, or an error."),
]
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
        self, info: Info, input: Annotated[inputs.CreateProjectInput, INPUT]
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
        self, info: Info, input: Annotated[inputs.UpdateProjectInput, INPUT]
    ) -> UpdateProjectResult:
        changes = input_values.provided_values(input, without=("id", "answer_defaults"))
        if input.answer_defaults is not strawberry.UNSET:
            defaults = input.answer_defaults
            changes["answer_options"] = None if defaults is None else input_values.provided_values(defaults)
        row = await info.context.access.projects.update_project(ids.read("Project", input.id), changes)
        return UpdateProjectPayload(project=ProjectType.from_model(row))

    @strawberry.mutation(
        description="Switch a project to another embedding model. A new embedding space is built in the background "
        "while the current one is searched; then they are swapped at once. `embeddingSpaceEvents` reports the "
        "progress. Repeating the request changes nothing. After a failure, or within a day of being cancelled, the "
        "switch resumes: `chunksDone` of the space says how many chunks already have their vectors. Requires the "
        "OWNER role."
    )
    async def switch_embedding_model(
        self, info: Info, input: Annotated[inputs.SwitchEmbeddingModelInput, INPUT]
    ) -> SwitchEmbeddingModelResult:
        id = ids.read("Project", input.project_id)
        row = await info.context.access.projects.switch_embedding_model(id, input.model)
        return SwitchEmbeddingModelPayload(space=EmbeddingSpaceType.from_model(row))

    @strawberry.mutation(
        description="Cancel a switch that is in progress or has failed, and keep the current embedding model. The "
        "vectors made so far are kept for a day, unless another model is requested, so that a switch to the same "
        "model can continue with them. Requires the OWNER role."
    )
    async def cancel_embedding_switch(
        self, info: Info, input: Annotated[inputs.CancelEmbeddingSwitchInput, INPUT]
    ) -> CancelEmbeddingSwitchResult:
        row = await info.context.access.projects.cancel_embedding_switch(ids.read("Project", input.project_id))
        return CancelEmbeddingSwitchPayload(space=EmbeddingSpaceType.from_model(row))

    @strawberry.mutation(
        description="Delete a project with its documents, chat sessions and answers. Requires the OWNER role."
    )
    async def delete_project(
        self, info: Info, input: Annotated[inputs.DeleteProjectInput, INPUT]
    ) -> DeleteProjectResult:
        await info.context.access.projects.delete_project(ids.read("Project", input.id))
        return DeleteProjectPayload(deleted_project_id=input.id)
