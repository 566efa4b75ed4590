"""Inputs about chat sessions, questions and answers.

In update inputs an omitted field is `UNSET` and stays as it is; null resets it to its default.
"""

import strawberry

from app.graphql.inputs.answer_options import AnswerOptionsInput


@strawberry.input(description="Options of a chat session. Null uses the default.")
class _SessionSettings(AnswerOptionsInput):
    title: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Title of the chat session. Defaults to the beginning of its first question.",
    )
    shared: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether other members of the project can see the chat session. Defaults to false.",
    )


@strawberry.input(
    description="Parameters of `createChatSession`. Options that are omitted or null use the default of the "
    "project or server."
)
class CreateChatSessionInput(_SessionSettings):
    project_id: strawberry.ID = strawberry.field(description="Id of the project whose documents are searched.")


@strawberry.input(
    description="Parameters of `updateChatSession`. Omitted fields keep their value; null resets a field to its "
    "default."
)
class UpdateChatSessionInput(_SessionSettings):
    shared: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Whether other members can see the chat session. Null resets it to false.",
    )
    id: strawberry.ID = strawberry.field(description="Id of the chat session.")


@strawberry.input(description="Parameters of `deleteChatSession`.")
class DeleteChatSessionInput:
    id: strawberry.ID = strawberry.field(description="Id of the chat session.")


@strawberry.input(
    description="Parameters of `sendMessage`. Options given here override those of the chat session, for this "
    "turn only."
)
class SendMessageInput(AnswerOptionsInput):
    session_id: strawberry.ID = strawberry.field(description="Id of the chat session.")
    content: str = strawberry.field(description="The question.")
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key for safe retries. Repeating a call with the same key in the same chat session "
        "returns the same messages; reusing it for other input is a conflict.",
    )
    search_query: str | None = strawberry.field(
        default=None,
        description="Query to search with instead of the question. It is used as it is and never rewritten.",
    )


@strawberry.input(description="Parameters of `cancelAnswer`.")
class CancelAnswerInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer to cancel.")


@strawberry.input(description="Parameters of `regenerateAnswer`.")
class RegenerateAnswerInput:
    message_id: strawberry.ID = strawberry.field(
        description="Id of an answer to the last question of its chat session."
    )
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key for safe retries. Repeating a call with the same key in the same chat session "
        "returns the same answer; reusing it for other input is a conflict.",
    )


@strawberry.input(description="Parameters of `previewAnswer`. Options given here override those of the chat session.")
class PreviewAnswerInput(AnswerOptionsInput):
    session_id: strawberry.ID = strawberry.field(description="Id of the chat session.")
    content: str = strawberry.field(description="The question.")
    search_query: str | None = strawberry.field(
        default=None, description="Query to search with instead of the question."
    )
    reformulate: bool = strawberry.field(
        default=False,
        description="Whether to rewrite the question first, which calls a model. If false, no model is called.",
    )
