"""Mutations about ratings of answers and opened sources."""

from typing import Annotated

import strawberry

from app.graphql import ids
from app.graphql.context import Info
from app.graphql.inputs import feedback as inputs
from app.graphql.types.chat.messages import MessageType
from app.graphql.types.errors import NotFoundError, ValidationError

_INPUT = strawberry.argument(description="Input of the mutation.")


@strawberry.type(description="Your rating was stored.")
class RateAnswerPayload:
    answer: MessageType = strawberry.field(description="The answer, with your rating.")


@strawberry.type(description="You have no rating of the answer any more.")
class WithdrawRatingPayload:
    answer: MessageType = strawberry.field(description="The answer.")


@strawberry.type(description="The opened source was counted.")
class RecordCitationOpenedPayload:
    answer: MessageType = strawberry.field(description="The answer that cites the source.")


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


@strawberry.type
class FeedbackMutations:
    """Mutations about what users think of answers."""

    @strawberry.mutation(
        description="Rate an answer that you can see. Rating it again replaces your earlier rating. Nobody else sees "
        "your rating."
    )
    async def rate_answer(self, info: Info, input: Annotated[inputs.RateAnswerInput, _INPUT]) -> RateAnswerResult:
        row = await info.context.access.feedback.rate_answer(
            ids.read("Message", input.message_id), helpful=input.helpful, reason=input.reason, comment=input.comment
        )
        return RateAnswerPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(description="Withdraw your rating of an answer. Does nothing if there is none.")
    async def withdraw_rating(
        self, info: Info, input: Annotated[inputs.WithdrawRatingInput, _INPUT]
    ) -> WithdrawRatingResult:
        row = await info.context.access.feedback.withdraw_rating(ids.read("Message", input.message_id))
        return WithdrawRatingPayload(answer=MessageType.from_model(row))

    @strawberry.mutation(
        description="Record that you opened a source of an answer, so that it is known which sources are looked at. "
        "Kept once for each user and source, with the number of times."
    )
    async def record_citation_opened(
        self, info: Info, input: Annotated[inputs.RecordCitationOpenedInput, _INPUT]
    ) -> RecordCitationOpenedResult:
        message_id = ids.read("Message", input.message_id)
        row = await info.context.access.feedback.record_opening(message_id, input.index)
        return RecordCitationOpenedPayload(answer=MessageType.from_model(row))
