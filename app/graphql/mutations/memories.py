"""Memories: facts about the asker, kept and forgotten."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.errors import NotFoundError, ValidationError
from app.graphql.inputs import requests
from app.graphql.types.chat.memories import Memory

_INPUT = strawberry.argument(description="What to do it with.")


@strawberry.type(description="The fact is kept.")
class RememberPayload:
    """See its description."""

    memory: Memory = strawberry.field(description="The memory.")


@strawberry.type(description="The memory is gone.")
class ForgetPayload:
    """See its description."""

    forgotten_id: strawberry.ID = strawberry.field(description="The id that it had.")


RememberResult = Annotated[
    RememberPayload | ValidationError | NotFoundError,
    strawberry.union("RememberResult", description="The memory, or why there is none."),
]
ForgetResult = Annotated[
    ForgetPayload | ValidationError | NotFoundError,
    strawberry.union("ForgetResult", description="The id of what is gone, or why it stays."),
]


@strawberry.type
class MemoryMutations:
    """Mutations of memories."""

    @strawberry.mutation(description="Keep a fact about you; this project's answers to you are told of it.")
    async def remember(self, info: Info, input: Annotated[requests.RememberInput, _INPUT]) -> RememberResult:
        """See its description."""
        context, project_id = info.context, ids.read("Project", input.project_id)
        row = await context.allowed.remember(project_id, input.content, input.importance)
        return RememberPayload(memory=Memory.from_model(row))

    @strawberry.mutation(description="Forget a fact about you.")
    async def forget(self, info: Info, input: Annotated[requests.ForgetInput, _INPUT]) -> ForgetResult:
        """See its description."""
        await info.context.allowed.forget(ids.read("Memory", input.id))
        return ForgetPayload(forgotten_id=input.id)
