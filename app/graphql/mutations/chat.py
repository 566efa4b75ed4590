"""Mutations about chat sessions, questions, answers, ratings and memories."""

from collections.abc import Sequence
from typing import Annotated, Any

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import chat as inputs
from app.graphql.inputs import input_values
from app.graphql.mutations import INPUT
from app.graphql.types import nodes
from app.graphql.types.chat.memories import MemoryType
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.chat.sessions import ChatSessionType
from app.graphql.types.errors import (
    ConflictError,
    ForbiddenError,
    NotFoundError,
    RateLimitedError,
    UnavailableError,
    ValidationError,
)
from app.graphql.types.projects import ProjectType


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


@strawberry.type(description="Your rating was stored.")
class RateAnswerPayload:
    answer: MessageType = strawberry.field(description="The answer, with your rating.")


@strawberry.type(description="Your rating of the answer was withdrawn, if there was one.")
class WithdrawRatingPayload:
    answer: MessageType = strawberry.field(description="The answer.")


@strawberry.type(description="The opened source was counted.")
class RecordCitationOpenedPayload:
    answer: MessageType = strawberry.field(description="The answer that cites the source.")


@strawberry.type(description="The memory was stored.")
class RememberPayload:
    memory: MemoryType = strawberry.field(description="The memory.")


@strawberry.type(description="The memory was deleted.")
class ForgetPayload:
    forgotten_id: strawberry.ID = strawberry.field(description="Id of the deleted memory.")


CreateChatSessionResult = Annotated[
    CreateChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("CreateChatSessionResult", description="The new chat session, or an error."),
]
UpdateChatSessionResult = Annotated[
    UpdateChatSessionPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("UpdateChatSessionResult", description="The updated chat session, or an error."),
]
DeleteChatSessionResult = Annotated[
    DeleteChatSessionPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("DeleteChatSessionResult", description="The id of the deleted chat session, or an error."),
]
SendMessageResult = Annotated[
    SendMessagePayload
    | ValidationError
    | NotFoundError
    | ForbiddenError
    | ConflictError
    | UnavailableError
    | RateLimitedError,
    strawberry.union("SendMessageResult", description="The question and its answer, or an error."),
]
CancelAnswerResult = Annotated[
    CancelAnswerPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("CancelAnswerResult", description="The answer, or an error."),
]
RegenerateAnswerResult = Annotated[
    RegenerateAnswerPayload
    | ValidationError
    | NotFoundError
    | ForbiddenError
    | ConflictError
    | UnavailableError
    | RateLimitedError,
    strawberry.union("RegenerateAnswerResult", description="The new answer, or an error."),
]
SelectBranchResult = Annotated[
    SelectBranchPayload | ValidationError | NotFoundError | ForbiddenError,
    strawberry.union("SelectBranchResult", description="The chat session, or an error."),
]
RateAnswerResult = Annotated[
    RateAnswerPayload | ValidationError | NotFoundError,
    strawberry.union("RateAnswerResult", description="The rated answer, or an error."),
]
WithdrawRatingResult = Annotated[
    WithdrawRatingPayload | ValidationError | NotFoundError,
    strawberry.union("WithdrawRatingResult", description="The answer, or an error."),
]
RecordCitationOpenedResult = Annotated[
    RecordCitationOpenedPayload | ValidationError | NotFoundError,
    strawberry.union("RecordCitationOpenedResult", description="The answer, or an error."),
]
RememberResult = Annotated[
    RememberPayload | ValidationError | NotFoundError,
    strawberry.union("RememberResult", description="The memory, or an error."),
]
ForgetResult = Annotated[
    ForgetPayload | ValidationError | NotFoundError,
    strawberry.union("ForgetResult", description="The id of the deleted memory, or an error."),
]


@strawberry.type
class ChatMutations:
    """Mutations about chat sessions, messages, ratings of answers and memories."""

    @strawberry.mutation(description="Create a chat session in a project.")
    async def create_chat_session(
        self, info: Info, input: Annotated[inputs.CreateChatSessionInput, INPUT]
    ) -> CreateChatSessionResult:
        context, values = info.context, input_values.provided_values(input, without=("project_id",))
        project_id = ids.read("Project", input.project_id)
        row = await context.access.chats.create_session(project_id, values)
        return CreateChatSessionPayload(chat_session=ChatSessionType.from_model(row))

    @strawberry.mutation(
        description="Update a chat session. Omitted fields keep their value; null resets a field to its default."
    )
    async def update_chat_session(
        self, info: Info, input: Annotated[inputs.UpdateChatSessionInput, INPUT]
    ) -> UpdateChatSessionResult:
        changes = input_values.provided_values(input, without=("id",))
        row = await info.context.access.chats.update_session(ids.read("ChatSession", input.id), changes)
        return UpdateChatSessionPayload(chat_session=ChatSessionType.from_model(row))

    @strawberry.mutation(description="Delete a chat session and its messages.")
    async def delete_chat_session(
        self, info: Info, input: Annotated[inputs.DeleteChatSessionInput, INPUT]
    ) -> DeleteChatSessionResult:
        project_id = await info.context.access.chats.delete_session(ids.read("ChatSession", input.id))
        project = ProjectType.from_model(nodes.require_row(await info.context.loaders.projects.load(project_id)))
        return DeleteChatSessionPayload(deleted_chat_session_id=input.id, project=project)

    @strawberry.mutation(
        description="Ask a question, or send an edited version of one. The server generates the answer in the "
        "background, even if the client disconnects. Use an `idempotencyKey` to retry safely."
    )
    async def send_message(self, info: Info, input: Annotated[inputs.SendMessageInput, INPUT]) -> SendMessageResult:
        session_id, key = ids.read("ChatSession", input.session_id), input.idempotency_key
        excluded = ("session_id", "content", "edited_message_id", "previous_message_id", "idempotency_key")
        overrides = _read_options(input, excluded)
        question, answer = await info.context.access.chats.send_message(
            session_id, input.content, key=key, overrides=overrides, placement=input.read_placement()
        )
        return SendMessagePayload(question=MessageType.from_model(question), answer=MessageType.from_model(answer))

    @strawberry.mutation(description="Stop generating an answer. The text generated so far is kept.")
    async def cancel_answer(self, info: Info, input: Annotated[inputs.CancelAnswerInput, INPUT]) -> CancelAnswerResult:
        row = await info.context.access.chats.cancel_answer(ids.read("Message", input.message_id))
        return CancelAnswerPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Answer a question again. The new answer is an alternative to the others. A complete answer stays "
        "current until the new one is complete, too. Use an `idempotencyKey` to retry safely."
    )
    async def regenerate_answer(
        self, info: Info, input: Annotated[inputs.RegenerateAnswerInput, INPUT]
    ) -> RegenerateAnswerResult:
        message_id = ids.read("Message", input.message_id)
        overrides = _read_options(input, ("message_id", "idempotency_key"))
        row = await info.context.access.chats.regenerate_answer(
            message_id, key=input.idempotency_key, overrides=overrides
        )
        return RegenerateAnswerPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Show the branch of a chat session that a message belongs to: the message, the messages before "
        "it, and those last shown after it. The next question continues there."
    )
    async def select_branch(self, info: Info, input: Annotated[inputs.SelectBranchInput, INPUT]) -> SelectBranchResult:
        session_id = await info.context.access.chats.select_branch(ids.read("Message", input.message_id))
        session = nodes.require_row(await info.context.loaders.sessions.load(session_id))
        return SelectBranchPayload(chat_session=ChatSessionType.from_model(session))

    @strawberry.mutation(
        description="Rate an answer that you can see. Rating it again replaces your earlier rating. Nobody else sees "
        "your rating."
    )
    async def rate_answer(self, info: Info, input: Annotated[inputs.RateAnswerInput, INPUT]) -> RateAnswerResult:
        row = await info.context.access.feedback.rate_answer(
            ids.read("Message", input.message_id), helpful=input.helpful, reason=input.reason, comment=input.comment
        )
        return RateAnswerPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(description="Withdraw your rating of an answer. Does nothing if there is none.")
    async def withdraw_rating(
        self, info: Info, input: Annotated[inputs.WithdrawRatingInput, INPUT]
    ) -> WithdrawRatingResult:
        row = await info.context.access.feedback.withdraw_rating(ids.read("Message", input.message_id))
        return WithdrawRatingPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Record that you opened a source of an answer, so that the operator can see which sources are "
        "used. Stored once for each user and source, with the number of times."
    )
    async def record_citation_opened(
        self, info: Info, input: Annotated[inputs.RecordCitationOpenedInput, INPUT]
    ) -> RecordCitationOpenedResult:
        message_id = ids.read("Message", input.message_id)
        row = await info.context.access.feedback.record_opening(message_id, input.index)
        return RecordCitationOpenedPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Store a fact about you. It is given to the model when you ask questions in this project."
    )
    async def remember(self, info: Info, input: Annotated[inputs.RememberInput, INPUT]) -> RememberResult:
        context, project_id = info.context, ids.read("Project", input.project_id)
        row = await context.access.memories.remember(project_id, input.content, input.importance)
        return RememberPayload(memory=MemoryType.from_model(row))

    @strawberry.mutation(description="Delete a fact about you.")
    async def forget(self, info: Info, input: Annotated[inputs.ForgetInput, INPUT]) -> ForgetResult:
        await info.context.access.memories.forget(ids.read("Memory", input.id))
        return ForgetPayload(forgotten_id=input.id)


def _read_options(
    input: inputs.SendMessageInput | inputs.RegenerateAnswerInput, excluded: Sequence[str]
) -> dict[str, Any]:
    """The options among the input's values; null counts as omitted."""
    values = input_values.provided_values(input, without=excluded)
    return {name: value for name, value in values.items() if value is not None}
