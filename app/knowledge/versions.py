"""Start new versions of documents, and read again those that earlier parsers have read."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, bindparam, select, update
from sqlalchemy.orm import Session

from app import errors, safe_text
from app.database import models
from app.database.locks import Lock, ProjectLock
from app.database.protocol import Database
from app.knowledge import uploads
from app.knowledge.ingestion.queue_limits import QueueCounts, QueueLimits
from app.knowledge.notifications import notify_documents, wake_workers_on_failure
from app.knowledge.uploads import ContentDigest, NewDocument
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.statuses import DocumentStatus

# Documents that one transaction queues.
_BATCH_SIZE = 500
READER_VERSION = 8
"""Incremented with each change to parsers or chunking after which documents should be parsed again."""
_COUNT_INDEX_CHANGE = (
    update(models.Project)
    .where(models.Project.id == bindparam("project"))
    .values(
        index_version=models.Project.index_version + 1, stored_bytes=models.Project.stored_bytes + bindparam("added")
    )
)


def is_outdated() -> ColumnElement[bool]:
    """Whether a document can be searched, but was parsed by earlier parsers."""
    return (models.Document.status == DocumentStatus.READY) & (models.Document.reader_version < READER_VERSION)


def is_unchanged(known: models.Document, content: ContentDigest) -> bool:
    """Whether the document already has this content; a failed one is worth another attempt."""
    return known.sha256 == content.sha256 and known.status != DocumentStatus.FAILED


def start_version(document: models.Document, new: NewDocument, content: ContentDigest) -> None:
    """Make this the document's next version and queue it."""
    document.version += 1
    document.title = choose_title(new.title, new.name, new.source)
    document.title_given = bool(_read_title(new.title))
    document.name = new.name
    document.url = new.url
    document.media_type = new.media_type
    document.bytes = content.size
    document.sha256 = content.sha256
    document.document_metadata = new.metadata
    enqueue(document)


def choose_title(title: str | None, name: str | None, source: str | None) -> str:
    """The first of these that is not blank."""
    return _read_title(title) or _read_title(name) or _read_title(source) or "Untitled"


def _read_title(text: str | None) -> str:
    return safe_text.to_one_line(text or "", uploads.MAX_TITLE_LENGTH)


def enqueue(document: models.Document) -> None:
    """Queue the document's current version for ingestion."""
    document.status = DocumentStatus.QUEUED
    document.stage = document.failure_code = document.failure_message = document.chunks_total = None
    document.chunks_done = 0
    document.progress = (document.progress or 0) + 1
    document.queued_at = models.now()


def count_index_change(db: Session, project_id: str, added_bytes: int) -> None:
    """Increment a project's index version, and add to its stored bytes."""
    # Computed in the database, because several transactions may run at once.
    db.connection().execute(_COUNT_INDEX_CHANGE, {"project": project_id, "added": added_bytes})


class Rereading:
    """Queues documents to be parsed again from their originals. Their old chunks stay searchable until then."""

    def __init__(self, database: Database, notifier: Notifier, queue_limits: QueueLimits) -> None:
        self._database = database
        self._notifier = notifier
        self._queue_limits = queue_limits

    async def queue_outdated(self, project_id: str) -> Sequence[models.Document]:
        """Queue as many outdated documents of a project as the queue accepts, oldest first; returns them.

        The rest stays outdated, so that the next call continues. Raises Unavailable if the queue is full.
        """
        locks = ProjectLock(Lock.DOCUMENTS, project_id), Lock.INGESTION_QUEUE
        with wake_workers_on_failure(self._notifier):
            documents = await self._database.run_write(lambda db: self._queue(db, project_id), *locks)
        if documents:
            self._notifier.notify(topics.INGESTION_QUEUE)
            notify_documents(self._notifier, documents)
        return documents

    def _queue(self, db: Session, project_id: str) -> list[models.Document]:
        of_project = select(models.Document).where(models.Document.project_id == project_id, is_outdated())
        counts, queued = QueueCounts.read(db), list[models.Document]()
        for document in db.scalars(of_project.order_by(models.Document.id).limit(_BATCH_SIZE)).all():
            try:
                self._queue_limits.reserve_slot(counts, project_id)
            except errors.Unavailable:
                if not queued:
                    raise
                break
            enqueue(document)
            queued.append(document)
        db.flush()
        return queued
