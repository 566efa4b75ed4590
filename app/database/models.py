"""Tables as classes. Every row that belongs to a project carries the project's id.

Full text and vectors are stored in tables of the index (see knowledge/index); the migrations create all of them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from app import answer_options
from app.database.base import NEVER_REUSED, Base, RowId, enum_type, id_column, now, project_column
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
from app.statuses import AnswerOutcome, DocumentStatus, EmbeddingSpaceState, IngestionStage, MessageStatus


class Project(Base):
    """The tenant: documents and chat sessions belong to one. `index_version` grows with every change of its chunks."""

    __tablename__ = "projects"
    id: Mapped[str] = id_column()
    name: Mapped[str] = mapped_column(String(200), index=True)
    description: Mapped[str | None] = mapped_column(Text)
    local_providers_only: Mapped[bool] = mapped_column(default=False)
    no_sources_text: Mapped[str | None] = mapped_column(Text)
    rejected_text: Mapped[str | None] = mapped_column(Text)
    # Its default answer options, by name (see app/answer_options); the others are the server's.
    answer_options: Mapped[dict[str, Any] | None]
    index_version: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


class EmbeddingSpace(Base):
    """One embedding model's vectors for one project.

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
    state: Mapped[EmbeddingSpaceState] = mapped_column(enum_type(EmbeddingSpaceState))
    created_at: Mapped[datetime] = mapped_column(default=now)


class Document(Base):
    """A source text as given. The row describes the newest version; the chunks may still be those of the previous one.

    This table is the ingestion queue.
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
    status: Mapped[DocumentStatus] = mapped_column(enum_type(DocumentStatus), default=DocumentStatus.QUEUED)
    # The process that is ingesting it, and its lease (see database/leases).
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    stage: Mapped[IngestionStage | None] = mapped_column(enum_type(IngestionStage))
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
    """The document added under an idempotency key: using the key again returns that document, or is a conflict."""

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
    """Vectors made so far for a document that waits for its embedding model; they are not searched.

    `fingerprint` identifies the model and the texts; `data` is 32-bit floats. `position` counts from 0.
    """

    __tablename__ = "paused_vectors"
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    data: Mapped[bytes] = mapped_column(LargeBinary)


class Chunk(Base):
    """The unit of search. Full text and vectors name chunks by `id`, which is never used twice."""

    __tablename__ = "chunks"
    __table_args__ = (UniqueConstraint("document_id", "position"), NEVER_REUSED)
    id: Mapped[int] = mapped_column(RowId, primary_key=True)
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
    """Totals of a project's chunks in the full text; `number` prefixes its terms and is never used twice."""

    __tablename__ = "keyword_totals"
    __table_args__ = (NEVER_REUSED,)
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
    """A conversation, with a column for each of the answer options that it can set.

    A null option falls through to the project and the server whenever it is read.
    """

    __tablename__ = "chat_sessions"
    __table_args__ = (Index("ix_chat_sessions_project_id_id", "project_id", "id"),)
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    shared: Mapped[bool] = mapped_column(default=False)
    title: Mapped[str] = mapped_column(String(500))
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)


_OPTION_COLUMNS = {bool: Boolean, int: Integer, float: Double, str: String(200), tuple[str, ...]: JSON}
for _name, _type in answer_options.OPTION_TYPES.items():
    _is_long = (answer_options.OPTIONS[_name].max_length or 0) > 1000
    # The values of a Literal are short names.
    _column = Text if _is_long else _OPTION_COLUMNS.get(_type, String(16))
    setattr(ChatSession, _name, mapped_column(_column, nullable=True))


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
    status: Mapped[MessageStatus] = mapped_column(enum_type(MessageStatus))
    reply_to: Mapped[str | None] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"))
    # The answer that replaced this one in the history, and the user who asked for this message.
    replaced_by: Mapped[str | None] = mapped_column(String(32))
    asked_by: Mapped[str | None] = mapped_column(String(32))
    # The process that is generating this answer, and its lease (see database/leases).
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    # The options that the sender overrode for this turn.
    overrides: Mapped[dict[str, Any] | None]
    outcome: Mapped[AnswerOutcome | None] = mapped_column(enum_type(AnswerOutcome))
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
    """The log of an answer that ended a while ago, in place of its AnswerEvents; see chat/answer_log/compaction."""

    __tablename__ = "compact_logs"
    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    entries: Mapped[list[Any]]


class TokenCalibration(Base):
    """How far the estimated number of tokens is off for a model, by the prompt's main script."""

    __tablename__ = "token_calibrations"
    model: Mapped[str] = mapped_column(String(200), primary_key=True)
    script: Mapped[str] = mapped_column(String(16), primary_key=True)
    samples: Mapped[int]
    mean: Mapped[float]
    variance: Mapped[float]
