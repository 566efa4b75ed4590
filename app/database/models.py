"""Tables as classes: what is kept, and how it hangs together. Every row of a project carries the project's id.

Full text and vectors live in virtual tables beside these (knowledge/index_*); the migrations make all of them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.database import engine
from app.database.base import Base, id_column, now, project_column
from app.database.base import Moment as Moment
from app.database.base import new_id as new_id
from app.database.people import AccessToken as AccessToken
from app.database.people import AuditEvent as AuditEvent
from app.database.people import Identity as Identity
from app.database.people import Password as Password
from app.database.people import ProjectMember as ProjectMember
from app.database.people import SetupToken as SetupToken
from app.database.people import SignIn as SignIn
from app.database.people import UsageCount as UsageCount
from app.database.people import User as User


class Project(Base):
    """The tenant: documents and chat sessions belong to one. `index_version` grows with every change of its chunks."""

    __tablename__ = "projects"
    id: Mapped[str] = id_column()
    name: Mapped[str] = mapped_column(String(200), index=True)
    description: Mapped[str | None] = mapped_column(Text)
    local_providers_only: Mapped[bool] = mapped_column(default=False)
    no_sources_text: Mapped[str | None] = mapped_column(Text)
    rejected_text: Mapped[str | None] = mapped_column(Text)
    # Its defaults for answers, by name (see app/answer_options); what is not in it is the server's.
    answer_options: Mapped[dict[str, Any] | None]
    index_version: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class EmbeddingSpace(Base):
    """One embedding model's vectors for one project. `state`: BUILDING, ACTIVE, RETIRED, FAILED.

    `number` tells the project's spaces apart, from 0: the vectors of a chunk in two of them may share a table.
    """

    __tablename__ = "embedding_spaces"
    __table_args__ = (
        Index("ix_embedding_spaces_project_id_state", "project_id", "state"),
        Index("uq_embedding_spaces_project_id_number", "project_id", "number", unique=True),
    )
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    model: Mapped[str] = mapped_column(String(200))
    dimensions: Mapped[int]
    number: Mapped[int] = mapped_column(default=0, server_default="0")
    state: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Document(Base):
    """A source text as given. The row tells of the newest version; the chunks may still be those of the one before.

    `status`: QUEUED, PROCESSING, READY, FAILED: this table is ingestion's queue.
    """

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("project_id", "source"),
        # The queue, and how many documents of a project are in it, are read from this index alone.
        Index("ix_documents_status_project_id_queued_at", "status", "project_id", "queued_at"),
    )
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    title: Mapped[str] = mapped_column(String(500))
    # Whether the title was given; if not, the one that the document carries takes its place.
    title_given: Mapped[bool] = mapped_column(default=True)
    source: Mapped[str | None] = mapped_column(String(2000))
    url: Mapped[str | None] = mapped_column(String(2000))
    name: Mapped[str | None] = mapped_column(String(500))
    media_type: Mapped[str] = mapped_column(String(200))
    bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    version: Mapped[int] = mapped_column(default=1)
    document_metadata: Mapped[dict[str, Any]] = mapped_column("metadata", default=dict)
    status: Mapped[str] = mapped_column(String(16), default="QUEUED")
    # Who is processing it, and until when that is believed without a sign of life (see database/leases).
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    stage: Mapped[str | None] = mapped_column(String(16))
    # Grows with every step of ingestion: the `sequence` of its events.
    progress: Mapped[int] = mapped_column(default=0)
    chunks_done: Mapped[int] = mapped_column(default=0)
    chunks_total: Mapped[int | None]
    failure_code: Mapped[str | None] = mapped_column(String(40))
    failure_message: Mapped[str | None] = mapped_column(Text)
    queued_at: Mapped[datetime] = mapped_column(default=now)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class DocumentKey(Base):
    """What was added under an idempotency key: the same key again is the same document, or a conflict."""

    __tablename__ = "document_keys"
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    sha256: Mapped[str] = mapped_column(String(64))


class Original(Base):
    """A piece of a document version's bytes, as given. `position` counts from 0."""

    __tablename__ = "originals"
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class PausedVectors(Base):
    """Vectors of the next chunks of a document that waits for its embedding model; none of them is searched.

    `fingerprint` is of the model and the texts they were made of; `data` is 32-bit floats. `position` counts from 0.
    """

    __tablename__ = "paused_vectors"
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    data: Mapped[bytes] = mapped_column(LargeBinary)


class Chunk(Base):
    """The unit of search. `id` is also the row of its full text and its vector; it is never used twice."""

    __tablename__ = "chunks"
    __table_args__ = (UniqueConstraint("document_id", "position"), engine.NEVER_REUSED)
    id: Mapped[int] = mapped_column(engine.RowId, primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"))
    version: Mapped[int]
    position: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    heading: Mapped[list[str]]
    page: Mapped[int | None]
    start_offset: Mapped[int]
    end_offset: Mapped[int]
    token_count: Mapped[int]


class KeywordTotals(Base):
    """What a project's chunks are together to full text; `number` stands before its terms and is never used twice."""

    __tablename__ = "keyword_totals"
    __table_args__ = (engine.NEVER_REUSED,)
    number: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), unique=True)
    chunks: Mapped[int] = mapped_column(BigInteger)
    terms: Mapped[int] = mapped_column(BigInteger)


class Memory(Base):
    """A fact kept about one user in one project; no other user and no other project ever sees it."""

    __tablename__ = "memories"
    __table_args__ = (Index("ix_memories_project_id_user_id", "project_id", "user_id"),)
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    content: Mapped[str] = mapped_column(Text)
    importance: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)


class ChatSession(Base):
    """A conversation and how its answers are given. Null in a setting: the default, resolved when it is read."""

    __tablename__ = "chat_sessions"
    __table_args__ = (Index("ix_chat_sessions_project_id_id", "project_id", "id"),)
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    shared: Mapped[bool] = mapped_column(default=False)
    title: Mapped[str] = mapped_column(String(500))
    system_prompt: Mapped[str | None] = mapped_column(Text)
    model: Mapped[str | None] = mapped_column(String(200))
    document_ids: Mapped[list[str] | None]
    enable_rag: Mapped[bool | None]
    rag_top_k: Mapped[int | None]
    rag_threshold: Mapped[float | None]
    include_citations: Mapped[bool | None]
    grounding: Mapped[str | None] = mapped_column(String(16))
    context_token_ratio: Mapped[float | None]
    max_tokens: Mapped[int | None]
    temperature: Mapped[float | None]
    reformulate: Mapped[bool | None]
    search_mode: Mapped[str | None] = mapped_column(String(16))
    citation_style: Mapped[str | None] = mapped_column(String(16))
    context_placement: Mapped[str | None] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class Message(Base):
    """One message. An answer's later columns are null until its status is final; they hold values, not references."""

    __tablename__ = "messages"
    __table_args__ = (
        Index("uq_messages_session_id_position", "session_id", "position", unique=True),
        Index("ix_messages_status", "status"),
        Index("ix_messages_reply_to", "reply_to"),
        UniqueConstraint("session_id", "idempotency_key"),
    )
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    session_id: Mapped[str] = mapped_column(ForeignKey("chat_sessions.id", ondelete="CASCADE"))
    # The order of a conversation, from 1. Ids and moments come from a clock, and a clock can be set back.
    position: Mapped[int] = mapped_column(server_default="0")
    role: Mapped[str] = mapped_column(String(16))
    content: Mapped[str] = mapped_column(Text, default="")
    status: Mapped[str] = mapped_column(String(16))
    reply_to: Mapped[str | None] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"))
    # The answer that took this one's place in the history, and who asked for this message.
    replaced_by: Mapped[str | None] = mapped_column(String(32))
    asked_by: Mapped[str | None] = mapped_column(String(32))
    # Who is giving this answer, and until when that is believed without a sign of life (see database/leases).
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    # What the sender overrode for this turn.
    overrides: Mapped[dict[str, Any] | None]
    outcome: Mapped[str | None] = mapped_column(String(16))
    finish_reason: Mapped[str | None] = mapped_column(String(16))
    reasoning: Mapped[str | None] = mapped_column(Text)
    search_query: Mapped[str | None] = mapped_column(Text)
    citations: Mapped[list[Any] | None]
    notices: Mapped[list[Any] | None]
    budget: Mapped[dict[str, Any] | None]
    usage: Mapped[dict[str, Any] | None]
    failure: Mapped[dict[str, Any] | None]
    created_at: Mapped[datetime] = mapped_column(default=now)
    completed_at: Mapped[datetime | None]


class AnswerEvent(Base):
    """One entry of an answer's log; `sequence` starts at 1 and has no gaps. `payload` is a snapshot."""

    __tablename__ = "answer_events"
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    sequence: Mapped[int] = mapped_column(primary_key=True)
    payload: Mapped[dict[str, Any]]


class CompactLog(Base):
    """The log of an answer that ended a while ago, in place of its AnswerEvents; see chat/compaction."""

    __tablename__ = "compact_logs"
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    entries: Mapped[list[Any]]


class TokenCalibration(Base):
    """How far the plain estimate of tokens is off for a model, by what most letters of a prompt are."""

    __tablename__ = "token_calibrations"
    model: Mapped[str] = mapped_column(String(200), primary_key=True)
    script: Mapped[str] = mapped_column(String(16), primary_key=True)
    samples: Mapped[int]
    mean: Mapped[float]
    variance: Mapped[float]
