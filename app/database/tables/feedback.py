"""Tables of users' feedback on answers; `models` exports them with the others."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base, enum_type, now, project_column, user_column
from app.statuses import FeedbackReason


class AnswerRating(Base):
    """One user's rating of an answer."""

    __tablename__ = "answer_ratings"
    # A project's share of helpful answers is read from this index alone.
    __table_args__ = (Index("ix_answer_ratings_project_id_helpful", "project_id", "helpful"),)
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = user_column(primary_key=True, index=True)
    project_id: Mapped[str] = project_column()
    helpful: Mapped[bool]
    reason: Mapped[FeedbackReason | None] = mapped_column(enum_type(FeedbackReason))
    comment: Mapped[str | None] = mapped_column(Text)
    # When it was given or last changed.
    created_at: Mapped[datetime] = mapped_column(default=now)


class CitationOpening(Base):
    """How often a user opened a source of an answer. `citation_index` is the number of the source, from 1."""

    __tablename__ = "citation_openings"
    __table_args__ = (Index("ix_citation_openings_project_id", "project_id"),)
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = user_column(primary_key=True, index=True)
    citation_index: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[str] = project_column()
    count: Mapped[int]
    first_opened_at: Mapped[datetime] = mapped_column(default=now)
    last_opened_at: Mapped[datetime] = mapped_column(default=now)
