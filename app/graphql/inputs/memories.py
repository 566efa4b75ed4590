"""Inputs about memories."""

import strawberry


@strawberry.input(description="Parameters of `remember`.")
class RememberInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")
    content: str = strawberry.field(description="The fact. Sending the same text again renews the memory.")
    importance: float = strawberry.field(default=0.8, description="Importance of the fact, between 0 and 1.")


@strawberry.input(description="Parameters of `forget`.")
class ForgetInput:
    id: strawberry.ID = strawberry.field(description="Id of the memory.")
