"""All tables as classes. Every row that belongs to a project carries the project's id.

Full text and vectors are stored in tables of the indexes (see knowledge/index). The migrations create all tables.
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
    """The tenant: documents and chat sessions belong to one. `index_version` grows with every change to its chunks.

    After `deleted_at`, nobody sees the project any more, and its content is being deleted.
    """

    __tablename__ = "projects"
    # Leaves out projects that are not deleted: SQLite would use it to find them, and then sort them for each page.
    __table_args__ = (Index("ix_projects_deleted", "deleted_at", sqlite_where=text("deleted_at IS NOT NULL")),)
    id: Mapped[str] = id_column()
    name: Mapped[str] = mapped_column(String(200), index=True)
    description: Mapped[str | None] = mapped_column(Text)
    local_providers_only: Mapped[bool] = mapped_column(default=False)
    no_sources_text: Mapped[str | None] = mapped_column(Text)
    rejected_text: Mapped[str | None] = mapped_column(Text)
    # For how many days chat sessions are kept after their last question; null: forever.
    retention_days: Mapped[int | None]
    # The project's default answer options, by name (see app/answer_options); others come from the server.
    answer_options: Mapped[dict[str, Any] | None]
    index_version: Mapped[int] = mapped_column(default=0)
    # Bytes of its documents' originals plus characters of its chunks (see knowledge/storage_limits).
    stored_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now, onupdate=now)
    deleted_at: Mapped[datetime | None]


class EmbeddingSpace(Base):
    """One embedding model's vectors for one project.

    `number` counts a project's spaces from 0. It tells apart a chunk's vectors from two spaces that share a table.
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
    # How to read this space's scores (see knowledge/relevance), and how many chunks the project had when that was
    # measured; 0: never.
    dense_weight: Mapped[float | None]
    threshold: Mapped[float | None]
    measured_chunks: Mapped[int] = mapped_column(default=0, server_default="0")
    # Unless the space is ACTIVE: the process that builds or removes it, and its lease (see database/leases). Chunks up
    # to the id `built_to` have a vector; later ones have none yet, or no longer have one. A RETIRED space without an
    # owner keeps its vectors until its lease ends: it was abandoned, and may be requested again.
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
    built_to: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    # Why the space could not be built, or what it is waiting for.
    problem: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


class KeywordTotals(Base):
    """Totals of a project's chunks in the full-text index; `number` prefixes its terms and is never reused."""

    __tablename__ = "keyword_totals"
    __table_args__ = (NEVER_REUSED,)
    number: Mapped[int] = mapped_column(primary_key=True)
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), unique=True)
    chunks: Mapped[int] = mapped_column(BigInteger)
    terms: Mapped[int] = mapped_column(BigInteger)


class Memory(Base):
    """A fact about one user in one project, never visible to another user or in another project."""

    __tablename__ = "memories"
    __table_args__ = (Index("ix_memories_project_id_user_id", "project_id", "user_id"),)
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    user_id: Mapped[str] = user_column(index=True)
    content: Mapped[str] = mapped_column(Text)
    importance: Mapped[float]
    created_at: Mapped[datetime] = mapped_column(default=now)


class ChatSession(Base):
    """A conversation, with a column for each answer option that it can set.

    A null option means: use the project's or the server's current value.
    """

    __tablename__ = "chat_sessions"
    # One index for each order of each list (see chat/session_lists).
    __table_args__ = tuple(
        Index(f"ix_chat_sessions_{'_'.join((*filters, *keys, 'id'))}", *filters, *keys, "id")
        for filters in (("project_id", "created_by"), ("project_id", "shared"), ("created_by",))
        for keys in ((), ("last_activity_at",), ("title",))
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
    # When the session was created or last received a question; a new title or option changes only `updated_at`.
    last_activity_at: Mapped[datetime] = mapped_column(default=now, server_default="1970-01-01 00:00:00.000000")


_JSON_COLUMNS = {tuple[str, ...]: ExactJSON, DocumentFilter: ExactJSON}
_OPTION_COLUMNS = {bool: Boolean, int: Integer, float: Double, str: String(200), **_JSON_COLUMNS}
for _name, _type in answer_options.OPTION_TYPES.items():
    _is_long = (answer_options.OPTIONS[_name].max_length or 0) > 1000
    # The values of a Literal are short names.
    _column = Text if _is_long else _OPTION_COLUMNS.get(_type, String(16))
    setattr(ChatSession, _name, mapped_column(_column, nullable=True))


class TokenCalibration(Base):
    """How far token estimates for a model are off in a user's prompts, by the prompt's main script."""

    __tablename__ = "token_calibrations"
    user_id: Mapped[str] = user_column(primary_key=True)
    model: Mapped[str] = mapped_column(String(200), primary_key=True)
    script: Mapped[str] = mapped_column(String(16), primary_key=True)
    samples: Mapped[int]
    mean: Mapped[float]
    variance: Mapped[float]
