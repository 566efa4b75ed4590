"""Inputs about projects.

In update inputs an omitted field is `UNSET` and stays as it is; null resets it to its default.
"""

import strawberry

from app.graphql.inputs.answer_options import AnswerDefaultsInput


@strawberry.input(description="Parameters of `createProject`.")
class CreateProjectInput:
    name: str = strawberry.field(
        description="Name of the project. Must be unique among the projects you have access to."
    )
    description: str | None = strawberry.field(default=None, description="What the project is about.")
    local_providers_only: bool | None = strawberry.field(
        default=None,
        description="Whether to use only models that run on this machine, so that documents and questions never "
        "leave it. Defaults to false.",
    )


@strawberry.input(
    description="Parameters of `updateProject`. Omitted fields keep their value; null resets a field to its default."
)
class UpdateProjectInput:
    id: strawberry.ID = strawberry.field(description="Id of the project.")
    name: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Name of the project. Must be unique among the projects you have access to.",
    )
    description: str | None = strawberry.field(default=strawberry.UNSET, description="What the project is about.")
    local_providers_only: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether to use only models that run on this machine, so that documents and questions never "
        "leave it.",
    )
    no_sources_text: str | None = strawberry.field(
        default=strawberry.UNSET, description="Answer given in GROUNDED mode when nothing relevant is found."
    )
    rejected_text: str | None = strawberry.field(
        default=strawberry.UNSET, description="Answer given in GROUNDED mode instead of one that cites nothing."
    )
    retention_days: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="Number of days without a new question after which chat sessions are deleted, including pinned "
        "ones. Null keeps them forever.",
    )
    answer_defaults: AnswerDefaultsInput | None = strawberry.field(
        default=strawberry.UNSET,
        description="Default answer options for chat sessions of this project. Null resets all of them.",
    )


@strawberry.input(description="Parameters of `switchEmbeddingModel`.")
class SwitchEmbeddingModelInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")
    model: str = strawberry.field(description="Embedding model, as `provider/model`.")


@strawberry.input(description="Parameters of `cancelEmbeddingSwitch`.")
class CancelEmbeddingSwitchInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")


@strawberry.input(description="Parameters of `deleteProject`.")
class DeleteProjectInput:
    id: strawberry.ID = strawberry.field(description="Id of the project.")
