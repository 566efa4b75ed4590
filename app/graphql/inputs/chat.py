"""Inputs about chat sessions, questions, answers, ratings and memories.

In update inputs an omitted field is `UNSET` and stays as it is; null resets it to its default.
"""

import strawberry

from app.chat.branches.placement import Placement
from app.graphql import ids
from app.graphql.enums import FeedbackReason
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
    pinned: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Whether the chat session is pinned. Null resets it to false."
    )
    archived: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Whether the chat session is archived. Null resets it to false."
    )
    id: strawberry.ID = strawberry.field(description="Id of the chat session.")


@strawberry.input(description="Parameters of `deleteChatSession`.")
class DeleteChatSessionInput:
    id: strawberry.ID = strawberry.field(description="Id of the chat session.")


@strawberry.input(description="A question, and where it goes.")
class _PlacedQuestion(AnswerOptionsInput):
    content: str = strawberry.field(description="The question.")
    edited_message_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Id of a question of the chat session that this one is an edited version of. It becomes its "
        "alternative, and follows the same message.",
    )
    previous_message_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Id of the answer that the question follows. Defaults to the last message that the chat session "
        "shows.",
    )

    def read_placement(self) -> Placement:
        """Where the question goes, with row ids. Raises NotFound."""
        global_ids = (self.edited_message_id, self.previous_message_id)
        edited, previous = (ids.read("Message", id) if id is not None else None for id in global_ids)
        return Placement(edited, previous)


@strawberry.input(
    description="Parameters of `sendMessage`. Options given here override those of the chat session, for this "
    "turn only."
)
class SendMessageInput(_PlacedQuestion):
    session_id: strawberry.ID = strawberry.field(description="Id of the chat session.")
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


@strawberry.input(description="Parameters of `selectBranch`.")
class SelectBranchInput:
    message_id: strawberry.ID = strawberry.field(description="Id of a message of the branch.")


@strawberry.input(
    description="Parameters of `regenerateAnswer`. Options given here override those of the question and of the chat "
    "session, for this answer only."
)
class RegenerateAnswerInput(AnswerOptionsInput):
    message_id: strawberry.ID = strawberry.field(
        description="Id of any answer to the question that should be answered again."
    )
    idempotency_key: str | None = strawberry.field(
        default=None,
        description="Key for safe retries. Repeating a call with the same key in the same chat session "
        "returns the same answer; reusing it for other input is a conflict.",
    )
    search_query: str | None = strawberry.field(
        default=None,
        description="Query to search with instead of the question. It is used as it is and never rewritten.",
    )


@strawberry.input(description="Parameters of `previewAnswer`. Options given here override those of the chat session.")
class PreviewAnswerInput(_PlacedQuestion):
    session_id: strawberry.ID | None = strawberry.field(
        default=None, description="Id of the chat session. Give either `sessionId` or `projectId`."
    )
    project_id: strawberry.ID | None = strawberry.field(
        default=None, description="Id of a project, for the first question of a chat session that does not exist yet."
    )
    search_query: str | None = strawberry.field(
        default=None, description="Query to search with instead of the question."
    )
    reformulate: bool = strawberry.field(
        default=False,
        description="Whether to rewrite the question first, which calls a model. If false, no model is called.",
    )


@strawberry.input(description="Parameters of `rateAnswer`.")
class RateAnswerInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer.")
    helpful: bool = strawberry.field(description="Whether the answer helped.")
    reason: FeedbackReason | None = strawberry.field(default=None, description="Why it helped or not.")
    comment: str | None = strawberry.field(default=None, description="Your comment on the answer.")


@strawberry.input(description="Parameters of `withdrawRating`.")
class WithdrawRatingInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer.")


@strawberry.input(description="Parameters of `recordCitationOpened`.")
class RecordCitationOpenedInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer, whose text is final.")
    index: int = strawberry.field(description="Number of the source: `Citation.index`.")


@strawberry.input(description="Parameters of `remember`.")
class RememberInput:
    project_id: strawberry.ID = strawberry.field(description="Id of the project.")
    content: str = strawberry.field(description="The fact. Sending the same text again renews the memory.")
    importance: float = strawberry.field(default=0.8, description="Importance of the fact, between 0 and 1.")


@strawberry.input(description="Parameters of `forget`.")
class ForgetInput:
    id: strawberry.ID = strawberry.field(description="Id of the memory.")
