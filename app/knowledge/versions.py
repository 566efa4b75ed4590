"""Start new versions of documents."""

from app import language
from app.database import models
from app.knowledge import uploads
from app.knowledge.uploads import ContentDigest, NewDocument
from app.statuses import DocumentStatus


def is_unchanged(known: models.Document, content: ContentDigest) -> bool:
    """Whether the document holds this content already; a failed one is worth another attempt."""
    return known.sha256 == content.sha256 and known.status != DocumentStatus.FAILED


def start_version(document: models.Document, new: NewDocument, content: ContentDigest) -> None:
    """Make this the document's next version and queue it."""
    document.version += 1
    document.title = choose_title(new.title, new.name, new.source)
    document.title_given = new.title is not None
    document.name = new.name
    document.url = new.url
    document.media_type = new.media_type
    document.bytes = content.size
    document.sha256 = content.sha256
    document.document_metadata = new.metadata
    enqueue(document)


def choose_title(given: str | None, name: str | None, source: str | None) -> str:
    """The first of these that is not blank."""
    lines = (language.to_one_line(text or "", uploads.MAX_TITLE_LENGTH) for text in (given, name, source))
    return next(filter(None, lines), "Untitled")


def enqueue(document: models.Document) -> None:
    """Queue the document's current version for ingestion."""
    document.status = DocumentStatus.QUEUED
    document.stage = document.failure_code = document.failure_message = document.chunks_total = None
    document.chunks_done = 0
    document.progress = (document.progress or 0) + 1
    document.queued_at = models.now()
