"""Mutations about chat sessions, questions and answers."""

from collections.abc import Sequence
from typing import Annotated, Any

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import chat as inputs
from app.graphql.inputs import input_values
from app.graphql.types import nodes
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.chat.sessions import ChatSessionType
from app.graphql.types.errors import ConflictError, NotFoundError, RateLimitedError, UnavailableError, ValidationError
from app.graphql.types.projects import ProjectType

_INPUT = strawberry.argument(description="Input of the mutation.")


@strawberry.type(description="The chat session was created.")
class CreateChatSessionPayload:
    chat_session: ChatSessionType = strawberry.field(description="The new chat session.")


@strawberry.type(description="The chat session was updated.")
class UpdateChatSessionPayload:
    chat_session: ChatSessionType = strawberry.field(description="The updated chat session.")


@strawberry.type(description="The chat session was deleted.")
class DeleteChatSessionPayload:
    deleted_chat_session_id: strawberry.ID = strawberry.field(description="Id of the deleted chat session.")
    project: ProjectType = strawberry.field(description="The project that it belonged to.")


@strawberry.type(
    description="A new turn. `answer` exists at once, with status PENDING; follow it with "
    "`answerEvents(messageId: answer.id)`."
)
class SendMessagePayload:
    question: MessageType = strawberry.field(description="The question.")
    answer: MessageType = strawberry.field(description="The answer, which is now being generated.")


@strawberry.type(description="The answer is now final. If it already was, it is returned unchanged.")
class CancelAnswerPayload:
    answer: MessageType = strawberry.field(description="The answer, with the text generated so far.")


@strawberry.type(
    description="A new answer, with status PENDING at first. It becomes the current one once it is complete."
)
class RegenerateAnswerPayload:
    answer: MessageType = strawberry.field(description="The new answer, which is now being generated.")


@strawberry.type(description="The chat session now shows another branch.")
class SelectBranchPayload:
    chat_session: ChatSessionType = strawberry.field(description="The chat session, whose `messages` have changed.")


CreateChatSessionResult = Annotated[
    CreateChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("CreateChatSessionResult", description="The new chat session, or an error."),
]
UpdateChatSessionResult = Annotated[
    UpdateChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("UpdateChatSessionResult", description="The updated chat session, or an error."),
]
DeleteChatSessionResult = Annotated[
    DeleteChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("DeleteChatSessionResult", description="The id of the deleted chat session, or an error."),
]
SendMessageResult = Annotated[
    SendMessagePayload | ValidationError | NotFoundError | ConflictError | UnavailableError | RateLimitedError,
    strawberry.union("SendMessageResult", description="The question and its answer, or an error."),
]
CancelAnswerResult = Annotated[
    CancelAnswerPayload | ValidationError | NotFoundError,
    strawberry.union("CancelAnswerResult", description="The answer, or an error."),
]
RegenerateAnswerResult = Annotated[
    RegenerateAnswerPayload | ValidationError | NotFoundError | ConflictError | UnavailableError | RateLimitedError,
    strawberry.union("RegenerateAnswerResult", description="The new answer, or an error."),
]
SelectBranchResult = Annotated[
    SelectBranchPayload | ValidationError | NotFoundError,
    strawberry.union("SelectBranchResult", description="The chat session, or an error."),
]


@strawberry.type
class ChatMutations:
    """Mutations about chat sessions and messages."""

    @strawberry.mutation(description="Create a chat session in a project.")
    async def create_chat_session(
        self, info: Info, input: Annotated[inputs.CreateChatSessionInput, _INPUT]
    ) -> CreateChatSessionResult:
        context, values = info.context, input_values.provided_values(input, without=("project_id",))
        project_id = ids.read("Project", input.project_id)
        row = await context.access.chats.create_session(project_id, values)
        return CreateChatSessionPayload(chat_session=ChatSessionType.from_model(row))

    @strawberry.mutation(
        description="Update a chat session. Omitted fields keep their value; null resets a field to its default."
    )
    async def update_chat_session(
        self, info: Info, input: Annotated[inputs.UpdateChatSessionInput, _INPUT]
    ) -> UpdateChatSessionResult:
        changes = input_values.provided_values(input, without=("id",))
        row = await info.context.access.chats.update_session(ids.read("ChatSession", input.id), changes)
        return UpdateChatSessionPayload(chat_session=ChatSessionType.from_model(row))

    @strawberry.mutation(description="Delete a chat session and its messages.")
    async def delete_chat_session(
        self, info: Info, input: Annotated[inputs.DeleteChatSessionInput, _INPUT]
    ) -> DeleteChatSessionResult:
        project_id = await info.context.access.chats.delete_session(ids.read("ChatSession", input.id))
        project = ProjectType.from_model(nodes.require_row(await info.context.loaders.projects.load(project_id)))
        return DeleteChatSessionPayload(deleted_chat_session_id=input.id, project=project)

    @strawberry.mutation(
        description="Ask a question, or send an edited version of one. The server generates the answer in the "
        "background, even if the client disconnects. Use an `idempotencyKey` to retry safely."
    )
    async def send_message(self, info: Info, input: Annotated[inputs.SendMessageInput, _INPUT]) -> SendMessageResult:
        session_id, key = ids.read("ChatSession", input.session_id), input.idempotency_key
        apart = ("session_id", "content", "edited_message_id", "previous_message_id", "idempotency_key")
        overrides = _given_options(input, apart)
        question, answer = await info.context.access.chats.send_message(
            session_id, input.content, key=key, overrides=overrides, placement=input.read_placement()
        )
        return SendMessagePayload(question=MessageType.from_model(question), answer=MessageType.from_model(answer))

    @strawberry.mutation(description="Stop generating an answer. The text generated so far is kept.")
    async def cancel_answer(self, info: Info, input: Annotated[inputs.CancelAnswerInput, _INPUT]) -> CancelAnswerResult:
        row = await info.context.access.chats.cancel_answer(ids.read("Message", input.message_id))
        return CancelAnswerPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Answer a question again. The new answer is an alternative to the others. An answer that is "
        "complete stays current until the new one is complete, too. Use an `idempotencyKey` to retry safely."
    )
    async def regenerate_answer(
        self, info: Info, input: Annotated[inputs.RegenerateAnswerInput, _INPUT]
    ) -> RegenerateAnswerResult:
        message_id = ids.read("Message", input.message_id)
        overrides = _given_options(input, ("message_id", "idempotency_key"))
        row = await info.context.access.chats.regenerate_answer(
            message_id, key=input.idempotency_key, overrides=overrides
        )
        return RegenerateAnswerPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Show the branch of a chat session that a message belongs to: the message, what is before it, and "
        "what was last shown after it. The next question continues there."
    )
    async def select_branch(self, info: Info, input: Annotated[inputs.SelectBranchInput, _INPUT]) -> SelectBranchResult:
        session_id = await info.context.access.chats.select_branch(ids.read("Message", input.message_id))
        session = nodes.require_row(await info.context.loaders.sessions.load(session_id))
        return SelectBranchPayload(chat_session=ChatSessionType.from_model(session))


def _given_options(
    input: inputs.SendMessageInput | inputs.RegenerateAnswerInput, apart: Sequence[str]
) -> dict[str, Any]:
    """The options among the input's values; null is as good as nothing."""
    values = input_values.provided_values(input, without=apart)
    return {name: value for name, value in values.items() if value is not None}
