"""Mutations about memories."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import memories as inputs
from app.graphql.types.chat.memories import MemoryType
from app.graphql.types.errors import NotFoundError, ValidationError

_INPUT = strawberry.argument(description="Input of the mutation.")


@strawberry.type(description="The memory was stored.")
class RememberPayload:
    memory: MemoryType = strawberry.field(description="The memory.")


@strawberry.type(description="The memory was deleted.")
class ForgetPayload:
    forgotten_id: strawberry.ID = strawberry.field(description="Id of the deleted memory.")


RememberResult = Annotated[
    RememberPayload | ValidationError | NotFoundError,
    strawberry.union("RememberResult", description="The memory, or an error."),
]
ForgetResult = Annotated[
    ForgetPayload | ValidationError | NotFoundError,
    strawberry.union("ForgetResult", description="The id of the deleted memory, or an error."),
]


@strawberry.type
class MemoryMutations:
    """Mutations about memories."""

    @strawberry.mutation(
        description="Store a fact about you. It is given to the model when you ask questions in this project."
    )
    async def remember(self, info: Info, input: Annotated[inputs.RememberInput, _INPUT]) -> RememberResult:
        context, project_id = info.context, ids.read("Project", input.project_id)
        row = await context.access.memories.remember(project_id, input.content, input.importance)
        return RememberPayload(memory=MemoryType.from_model(row))

    @strawberry.mutation(description="Delete a fact about you.")
    async def forget(self, info: Info, input: Annotated[inputs.ForgetInput, _INPUT]) -> ForgetResult:
        await info.context.access.memories.forget(ids.read("Memory", input.id))
        return ForgetPayload(forgotten_id=input.id)
