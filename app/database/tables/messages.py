"""Tables of messages, their logs, and the numbers used by their full-text index; `models` exports them with the others.

The full-text index itself has its own table (see knowledge/index/sqlite/messages). Partial indexes are declared here
only for SQLite, because declaring them for PostgreSQL would load its dialect at every start. The migrations create them
in both.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, false, text
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NEVER_REUSED, Base, RowId, enum_type, id_column, now, project_column, user_column
from app.statuses import AnswerOutcome, MessageStatus

NOT_SEARCHABLE = text("NOT messages.searchable")
"""Matches messages that are not in the full-text index yet. It is written exactly as in the partial index: with
`searchable = 0`, SQLite would not use that and would read every message."""


class Message(Base):
    """One message. An answer's results, from `outcome` on, are null until its status is final; they are copies."""

    __tablename__ = "messages"
    __table_args__ = (
        Index("uq_messages_session_id_position", "session_id", "position", unique=True),
        Index("ix_messages_status", "status"),
        Index("ix_messages_previous_id", "previous_id"),
        Index("uq_messages_current", "previous_id", unique=True, sqlite_where=text("current = 1")),
        Index(
            "uq_messages_current_first",
            "session_id",
            unique=True,
            sqlite_where=text("current = 1 AND previous_id IS NULL"),
        ),
        Index("ix_messages_shown", "session_id", "position", sqlite_where=text("shown = 1")),
        # A project's questions are counted, and similarities averaged, from this index alone.
        Index("ix_messages_project_id_role_similarity", "project_id", "role", "similarity"),
        Index("ix_messages_unsearchable", "id", sqlite_where=text("NOT searchable")),
        UniqueConstraint("session_id", "idempotency_key"),
    )
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    session_id: Mapped[str] = mapped_column(ForeignKey("chat_sessions.id", ondelete="CASCADE"))
    # The order within a conversation, from 1. Ids and timestamps come from a clock, and a clock can be set back.
    position: Mapped[int] = mapped_column(server_default="0")
    role: Mapped[str] = mapped_column(String(16))
    content: Mapped[str] = mapped_column(Text, default="")
    status: Mapped[MessageStatus] = mapped_column(enum_type(MessageStatus))
    # An answer's question, or the answer that a question follows. Messages with the same one are alternatives, one of
    # which is current. It does not cascade: SQLite would recurse along the conversation, at most 1,000 levels deep.
    previous_id: Mapped[str | None] = mapped_column(ForeignKey("messages.id"))
    current: Mapped[bool] = mapped_column(default=True)
    # Whether this message and all before it are current; see chat/branches/tree.
    shown: Mapped[bool] = mapped_column(default=True)
    # The user who asked for this message.
    asked_by: Mapped[str | None] = mapped_column(String(32))
    # The process that is generating this answer, and its lease (see database/leases).
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    # The model that generates this answer.
    model: Mapped[str | None] = mapped_column(String(200))
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    # The options that the sender overrode for this turn, or for this answer when regenerating it.
    overrides: Mapped[dict[str, Any] | None]
    # Whether the sender of a question chose its position in the conversation.
    placed: Mapped[bool] = mapped_column(default=False, server_default=false())
    outcome: Mapped[AnswerOutcome | None] = mapped_column(enum_type(AnswerOutcome))
    finish_reason: Mapped[str | None] = mapped_column(String(16))
    reasoning: Mapped[str | None] = mapped_column(Text)
    search_query: Mapped[str | None] = mapped_column(Text)
    citations: Mapped[list[Any] | None]
    confidence: Mapped[float | None]
    # Mean cosine similarity of the question and the passages that were candidates for the prompt.
    similarity: Mapped[float | None]
    notices: Mapped[list[Any] | None]
    budget: Mapped[dict[str, Any] | None]
    usage: Mapped[dict[str, Any] | None]
    failure: Mapped[dict[str, Any] | None]
    # Whether the message is in the full-text index (see chat/message_search).
    searchable: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=now)
    completed_at: Mapped[datetime | None]


class AnswerEvent(Base):
    """One entry of an answer's log; `sequence` starts at 1 and has no gaps. `payload` is a snapshot."""

    __tablename__ = "answer_events"
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    payload: Mapped[dict[str, Any]]


class CompactLog(Base):
    """The log of an answer that ended a while ago, in place of its AnswerEvents; see chat/answer_log/compaction."""

    __tablename__ = "compact_logs"
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    entries: Mapped[list[Any]]


class PendingErasure(Base):
    """A document whose quotes must be erased from an answer once it ends; see chat/quote_erasure."""

    __tablename__ = "pending_erasures"
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    document_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[str] = mapped_column(String(500))
    chunk_ids: Mapped[list[Any]]


class MessageTextUser(Base):
    """The number that prefixes the terms of a user's messages in the full-text index. It is never reused."""

    __tablename__ = "message_text_users"
    __table_args__ = (NEVER_REUSED,)
    number: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[str] = user_column(unique=True)


class MessageTextRow(Base):
    """A message's number in the full-text index; later messages have higher ones. Deleting the row deletes the text."""

    __tablename__ = "message_text_rows"
    __table_args__ = (NEVER_REUSED,)
    number: Mapped[int] = mapped_column(RowId, primary_key=True)
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), unique=True)
