"""Inputs about ratings of answers and opened sources."""

import strawberry

from app.graphql.enums import FeedbackReason


@strawberry.input(description="Parameters of `rateAnswer`.")
class RateAnswerInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer.")
    helpful: bool = strawberry.field(description="Whether the answer helped.")
    reason: FeedbackReason | None = strawberry.field(default=None, description="Why it helped or not.")
    comment: str | None = strawberry.field(default=None, description="What you want to say about it.")


@strawberry.input(description="Parameters of `withdrawRating`.")
class WithdrawRatingInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer.")


@strawberry.input(description="Parameters of `recordCitationOpened`.")
class RecordCitationOpenedInput:
    message_id: strawberry.ID = strawberry.field(description="Id of the answer, whose text is final.")
    index: int = strawberry.field(description="Number of the source: `Citation.index`.")
