"""Tables as classes. Every row that belongs to a project carries the project's id.

Full text and vectors are stored in tables of the index (see knowledge/index); the migrations create all of them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Double,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from app import answer_options
from app.answer_options.document_filter import DocumentFilter
from app.database.base import NEVER_REUSED, Base, ExactJSON, enum_type, id_column, now, project_column, user_column
from app.database.base import Moment as Moment
from app.database.base import new_id as new_id
from app.database.tables.documents import Chunk as Chunk
from app.database.tables.documents import Document as Document
from app.database.tables.documents import DocumentKey as DocumentKey
from app.database.tables.documents import DocumentPlace as DocumentPlace
from app.database.tables.documents import Original as Original
from app.database.tables.documents import PausedVectors as PausedVectors
from app.database.tables.feedback import AnswerRating as AnswerRating
from app.database.tables.feedback import CitationOpening as CitationOpening
from app.database.tables.messages import AnswerEvent as AnswerEvent
from app.database.tables.messages import CompactLog as CompactLog
from app.database.tables.messages import Message as Message
from app.database.tables.messages import MessageTextRow as MessageTextRow
from app.database.tables.messages import MessageTextUser as MessageTextUser
from app.database.tables.messages import PendingErasure as PendingErasure
from app.database.tables.outbox import EventDelivery as EventDelivery
from app.database.tables.outbox import EventRelayLease as EventRelayLease
from app.database.tables.outbox import OutboxEvent as OutboxEvent
from app.database.tables.people import AccessToken as AccessToken
from app.database.tables.people import AuditEvent as AuditEvent
from app.database.tables.people import Identity as Identity
from app.database.tables.people import Password as Password
from app.database.tables.people import ProjectMember as ProjectMember
from app.database.tables.people import SetupToken as SetupToken
from app.database.tables.people import SignIn as SignIn
from app.database.tables.people import SigningKey as SigningKey
from app.database.tables.people import UsageCount as UsageCount
from app.database.tables.people import User as User
from app.statuses import EmbeddingSpaceState


class Project(Base):
    """The tenant: documents and chat sessions belong to one. `index_version` grows with every change of its chunks.

    `deleted_at`: nobody sees it any more, and its content is being deleted.
    """

    __tablename__ = "projects"
    # Without those that exist: SQLite would find these by it, and then sort them for each page of the list.
    __table_args__ = (Index("ix_projects_deleted", "deleted_at", sqlite_where=text("deleted_at IS NOT NULL")),)
    id: Mapped[str] = id_column()
    name: Mapped[str] = mapped_column(String(200), index=True)
    description: Mapped[str | None] = mapped_column(Text)
    local_providers_only: Mapped[bool] = mapped_column(default=False)
    no_sources_text: Mapped[str | None] = mapped_column(Text)
    rejected_text: Mapped[str | None] = mapped_column(Text)
    # How long chat sessions are kept after their last question; null: forever.
    retention_days: Mapped[int | None]
    # Its default answer options, by name (see app/answer_options); the others are the server's.
    answer_options: Mapped[dict[str, Any] | None]
    index_version: Mapped[int] = mapped_column(default=0)
    # Bytes of its documents, and characters of its chunks (see knowledge/storage_limits).
    stored_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)
    deleted_at: Mapped[datetime | None]


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
    # What scores mean here (see knowledge/search/relevance), measured when the project had so many chunks; 0: never.
    dense_weight: Mapped[float | None]
    threshold: Mapped[float | None]
    measured_chunks: Mapped[int] = mapped_column(default=0, server_default="0")
    # Unless it is ACTIVE: the process that builds or removes it, and its lease (see database/leases). Chunks up to the
    # id `built_to` have a vector; later ones have none yet, or none any more. Until its lease ends, a space that is
    # RETIRED without an owner keeps its vectors: it was given up, and may be asked for again.
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    built_to: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    # Why it could not be built, or what building it is waiting for.
    problem: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


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
    user_id: Mapped[str] = user_column(index=True)
    content: Mapped[str] = mapped_column(Text)
    importance: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)


class ChatSession(Base):
    """A conversation, with a column for each of the answer options that it can set.

    A null option falls through to the project and the server whenever it is read.
    """

    __tablename__ = "chat_sessions"
    # For each list, one index for each of its orders (see chat/session_lists).
    __table_args__ = tuple(
        Index(f"ix_chat_sessions_{'_'.join((*of, *by, 'id'))}", *of, *by, "id")
        for of in (("project_id", "created_by"), ("project_id", "shared"), ("created_by",))
        for by in ((), ("last_activity_at",), ("title",))
    )
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    created_by: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    shared: Mapped[bool] = mapped_column(default=False)
    title: Mapped[str] = mapped_column(String(500))
    pinned: Mapped[bool] = mapped_column(default=False, server_default=false())
    archived: Mapped[bool] = mapped_column(default=False, server_default=false())
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)
    # When it was created or last received a question; unlike `updated_at`, a new title or option leaves it.
    last_activity_at: Mapped[datetime] = mapped_column(default=now, server_default="1970-01-01 00:00:00.000000")


_JSON_COLUMNS = {tuple[str, ...]: ExactJSON, DocumentFilter: ExactJSON}
_OPTION_COLUMNS = {bool: Boolean, int: Integer, float: Double, str: String(200), **_JSON_COLUMNS}
for _name, _type in answer_options.OPTION_TYPES.items():
    _is_long = (answer_options.OPTIONS[_name].max_length or 0) > 1000
    # The values of a Literal are short names.
    _column = Text if _is_long else _OPTION_COLUMNS.get(_type, String(16))
    setattr(ChatSession, _name, mapped_column(_column, nullable=True))


class TokenCalibration(Base):
    """How far the estimated number of tokens is off for a model in a user's prompts, by the prompt's main script."""

    __tablename__ = "token_calibrations"
    user_id: Mapped[str] = user_column(primary_key=True)
    model: Mapped[str] = mapped_column(String(200), primary_key=True)
    script: Mapped[str] = mapped_column(String(16), primary_key=True)
    samples: Mapped[int]
    mean: Mapped[float]
    variance: Mapped[float]
