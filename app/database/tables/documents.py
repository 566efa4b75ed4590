"""Tables of documents and their chunks; `models` exports them with the others."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NEVER_REUSED, Base, RowId, enum_type, id_column, now, project_column
from app.statuses import DocumentStatus, IngestionStage


class Document(Base):
    """A document as it was added. The row describes the newest version; the chunks may still be the previous one's.

    This table is also the ingestion queue.
    """

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("project_id", "source"),
        # The queue and its number of documents per project are read from this index alone.
        Index("ix_documents_status_project_id_queued_at", "status", "project_id", "queued_at"),
        # One for each order of the list; the second also finds recently changed documents.
        Index("ix_documents_project_id_id", "project_id", "id"),
        Index("ix_documents_project_id_updated_at_id", "project_id", "updated_at", "id"),
        Index("ix_documents_project_id_title_id", "project_id", "title", "id"),
    )
    id: Mapped[str] = id_column()
    project_id: Mapped[str] = project_column()
    title: Mapped[str] = mapped_column(String(500))
    # Whether a client set the title; if not, the title found in the document replaces it.
    title_given: Mapped[bool] = mapped_column(default=True)
    source: Mapped[str | None] = mapped_column(String(2000))
    url: Mapped[str | None] = mapped_column(String(2000))
    name: Mapped[str | None] = mapped_column(String(500))
    media_type: Mapped[str] = mapped_column(String(200))
    bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    version: Mapped[int] = mapped_column(default=1)
    # READER_VERSION of the parsers that made its chunks (see knowledge/versions); 0 if unknown.
    reader_version: Mapped[int] = mapped_column(default=0, server_default="0")
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
    """The document added under an idempotency key: using the key again returns that document, or is a conflict.

    A document keeps its newest keys, by `number`; keys of earlier versions of Footnote have 0.
    """

    __tablename__ = "document_keys"
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    sha256: Mapped[str] = mapped_column(String(64))
    number: Mapped[int] = mapped_column(server_default="0")


class DocumentPlace(Base):
    """A document that a command has read from a file; `place` is the file's machine and path."""

    __tablename__ = "document_places"
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    place: Mapped[str] = mapped_column(String(2000), primary_key=True)
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)


class Original(Base):
    """A piece of a document version's original bytes. `position` counts from 0."""

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
    """The unit of search. The indexes refer to chunks by `id`, which is never reused."""

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
    # Offsets in the text where further pages begin. None if an earlier version, which did not record them, parsed it.
    page_breaks: Mapped[list[Any] | None]
    start_offset: Mapped[int]
    end_offset: Mapped[int]
    token_count: Mapped[int]
