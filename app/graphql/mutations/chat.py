"""Chat: sessions opened, changed and deleted; questions asked, and answers stopped."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.errors import ConflictError, NotFoundError, RateLimitedError, UnavailableError, ValidationError
from app.graphql.inputs import conversion, requests
from app.graphql.types import nodes
from app.graphql.types.chat.messages import Message
from app.graphql.types.chat.sessions import ChatSession
from app.graphql.types.projects import Project

_INPUT = strawberry.argument(description="What to do it with.")


@strawberry.type(description="The chat session was opened.")
class CreateChatSessionPayload:
    """See its description."""

    chat_session: ChatSession = strawberry.field(description="The new chat session.")


@strawberry.type(description="The chat session was changed.")
class UpdateChatSessionPayload:
    """See its description."""

    chat_session: ChatSession = strawberry.field(description="The chat session as it is now.")


@strawberry.type(description="The chat session was deleted, with its messages.")
class DeleteChatSessionPayload:
    """See its description."""

    deleted_chat_session_id: strawberry.ID = strawberry.field(description="The id that it had.")
    project: Project = strawberry.field(description="The project that it belonged to.")


@strawberry.type(
    description="`answer` exists at once with status PENDING; follow it with `answerEvents(messageId: answer.id)`."
)
class SendMessagePayload:
    """See its description."""

    question: Message = strawberry.field(description="The question as it is kept.")
    answer: Message = strawberry.field(description="The answer that has just begun.")


@strawberry.type(description="The answer is final; one that was final already stays as it is.")
class CancelAnswerPayload:
    """See its description."""

    answer: Message = strawberry.field(description="The answer with the text so far.")


@strawberry.type(
    description="`answer` exists at once with status PENDING; when it is whole, it takes the place of the one before."
)
class RegenerateAnswerPayload:
    """See its description."""

    answer: Message = strawberry.field(description="The answer that has just begun.")


CreateChatSessionResult = Annotated[
    CreateChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("CreateChatSessionResult", description="The new chat session, or why there is none."),
]
UpdateChatSessionResult = Annotated[
    UpdateChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("UpdateChatSessionResult", description="The chat session as it is now, or why it stayed."),
]
DeleteChatSessionResult = Annotated[
    DeleteChatSessionPayload | ValidationError | NotFoundError,
    strawberry.union("DeleteChatSessionResult", description="The id of what is gone, or why it stays."),
]
SendMessageResult = Annotated[
    SendMessagePayload | ValidationError | NotFoundError | ConflictError | UnavailableError | RateLimitedError,
    strawberry.union("SendMessageResult", description="Both messages of the turn, or why there is none."),
]
CancelAnswerResult = Annotated[
    CancelAnswerPayload | ValidationError | NotFoundError,
    strawberry.union("CancelAnswerResult", description="The answer, or why there is nothing to stop."),
]
RegenerateAnswerResult = Annotated[
    RegenerateAnswerPayload | ValidationError | NotFoundError | ConflictError | UnavailableError | RateLimitedError,
    strawberry.union("RegenerateAnswerResult", description="The new answer, or why there is none."),
]


@strawberry.type
class ChatMutations:
    """Mutations of chat sessions and messages."""

    @strawberry.mutation(description="Open a chat session in a project.")
    async def create_chat_session(
        self, info: Info, input: Annotated[requests.CreateChatSessionInput, _INPUT]
    ) -> CreateChatSessionResult:
        """See its description."""
        context, values = info.context, conversion.values(input, without=("project_id",))
        project_id = ids.read("Project", input.project_id)
        row = await context.allowed.chats.create(project_id, values)
        return CreateChatSessionPayload(chat_session=ChatSession.from_model(row))

    @strawberry.mutation(description="Change a chat session; what is left out stays, null resets to the default.")
    async def update_chat_session(
        self, info: Info, input: Annotated[requests.UpdateChatSessionInput, _INPUT]
    ) -> UpdateChatSessionResult:
        """See its description."""
        changes = conversion.values(input, without=("id",))
        row = await info.context.allowed.chats.update(ids.read("ChatSession", input.id), changes)
        return UpdateChatSessionPayload(chat_session=ChatSession.from_model(row))

    @strawberry.mutation(description="Delete a chat session with its messages.")
    async def delete_chat_session(
        self, info: Info, input: Annotated[requests.DeleteChatSessionInput, _INPUT]
    ) -> DeleteChatSessionResult:
        """See its description."""
        project_id = await info.context.allowed.chats.delete(ids.read("ChatSession", input.id))
        project = Project.from_model(nodes.there(await info.context.loaders.projects.load(project_id)))
        return DeleteChatSessionPayload(deleted_chat_session_id=input.id, project=project)

    @strawberry.mutation(
        description="Ask. The answer is worked out by the server and goes on when the client leaves; "
        "the same `idempotencyKey` gives the same messages again."
    )
    async def send_message(self, info: Info, input: Annotated[requests.SendMessageInput, _INPUT]) -> SendMessageResult:
        """See its description."""
        session_id, key = ids.read("ChatSession", input.session_id), input.idempotency_key
        overrides = conversion.values(input, without=("session_id", "content", "idempotency_key"))
        overrides = {name: value for name, value in overrides.items() if value is not None}
        question, answer = await info.context.allowed.chats.send(
            session_id, input.content, key=key, overrides=overrides
        )
        return SendMessagePayload(question=Message.from_model(question), answer=Message.from_model(answer))

    @strawberry.mutation(description="Stop an answer; its text so far is kept.")
    async def cancel_answer(
        self, info: Info, input: Annotated[requests.CancelAnswerInput, _INPUT]
    ) -> CancelAnswerResult:
        """See its description."""
        row = await info.context.allowed.chats.cancel(ids.read("Message", input.message_id))
        return CancelAnswerPayload(answer=Message.from_model(row))

    @strawberry.mutation(
        description="Answer the last question of a session once more. The answer so far stays until the new one is "
        "whole; the same `idempotencyKey` gives the same answer again."
    )
    async def regenerate_answer(
        self, info: Info, input: Annotated[requests.RegenerateAnswerInput, _INPUT]
    ) -> RegenerateAnswerResult:
        """See its description."""
        message_id = ids.read("Message", input.message_id)
        row = await info.context.allowed.chats.regenerate(message_id, key=input.idempotency_key)
        return RegenerateAnswerPayload(answer=Message.from_model(row))
