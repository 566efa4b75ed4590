"""Tell those who follow documents that they have changed."""

from collections.abc import Iterable

from app.database import models
from app.notifier import topics
from app.notifier.protocol import Notifier


def notify_documents(notifier: Notifier, documents: Iterable[models.Document]) -> None:
    """Wake those who follow these documents or their projects."""
    projects: set[str] = set()
    for document in documents:
        notifier.notify(topics.document(document.id))
        projects.add(document.project_id)
    for project_id in projects:
        notifier.notify(topics.project_documents(project_id))
