"""A user's rating of an answer."""

from datetime import datetime

import strawberry

from app.database import models
from app.graphql.enums import FeedbackReason


@strawberry.type(name="Feedback", description="Your rating of an answer. Visible only to you.")
class FeedbackType:
    helpful: bool = strawberry.field(description="Whether the answer helped.")
    reason: FeedbackReason | None = strawberry.field(description="Why it helped or not.")
    comment: str | None = strawberry.field(description="What you wrote about it.")
    created_at: datetime = strawberry.field(description="When the rating was given or last changed.")

    @classmethod
    def from_model(cls, row: models.AnswerRating) -> "FeedbackType":
        return cls(helpful=row.helpful, reason=row.reason, comment=row.comment, created_at=row.created_at)
