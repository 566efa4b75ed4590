"""Report changes to documents: wake subscribers, and create the events for other programs."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from app import errors, global_ids
from app.database import models
from app.events.outbox import Event
from app.events.payloads import (
    DocumentAdded,
    DocumentDeleted,
    DocumentFailed,
    DocumentReady,
    DocumentReplaced,
    EventPayload,
    ProjectDeleted,
)
from app.notifier import topics
from app.notifier.protocol import Notifier


def notify_documents(notifier: Notifier, documents: Iterable[models.Document]) -> None:
    """Wake the subscribers of these documents and their projects."""
    projects: set[str] = set()
    for document in documents:
        notifier.notify(topics.document(document.id))
        projects.add(document.project_id)
    for project_id in projects:
        notifier.notify(topics.project_documents(project_id))


@contextmanager
def wake_workers_on_failure(notifier: Notifier) -> Generator[None]:
    """Wake workers if a write that queues documents fails as Unavailable: it may have been committed all the same."""
    try:
        yield
    except errors.Unavailable:
        notifier.notify(topics.INGESTION_QUEUE)
        raise


def version_started(document: models.Document) -> Event:
    """A document or its next version was added."""
    payload = DocumentAdded if document.version == 1 else DocumentReplaced
    return _event(document, payload(**_fields(document), bytes=document.bytes))


def document_ready(document: models.Document, media_type: str, chunks: int) -> Event:
    """A document can be searched. `media_type` was detected from its content."""
    fields: dict[str, Any] = {**_fields(document), "media_type": media_type, "chunk_count": chunks}
    return _event(document, DocumentReady(**fields))


def document_failed(document: models.Document, code: str) -> Event:
    """A document could not be processed."""
    return _event(document, DocumentFailed(**_fields(document), failure=code))


def document_deleted(document: models.Document) -> Event:
    """A document was deleted."""
    return _event(document, DocumentDeleted(**_fields(document)))


def project_deleted(project_id: str) -> Event:
    """A project was deleted with everything in it."""
    return Event(
        ProjectDeleted(project_id=project_id), global_ids.encode("Project", project_id), project_id, project_id
    )


def _fields(document: models.Document) -> dict[str, Any]:
    return {
        "project_id": document.project_id,
        "document_id": document.id,
        "version": document.version,
        "title": document.title,
        "source": document.source,
        "media_type": document.media_type,
    }


def _event(document: models.Document, payload: EventPayload) -> Event:
    return Event(payload, global_ids.encode("Document", document.id), document.id, document.project_id)
