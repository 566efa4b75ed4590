"""Limit the queued documents, in total and per project, so that no project fills the queue."""

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.statuses import DocumentStatus

# When to retry after a full queue; most documents take a fraction of a second.
_RETRY_MS = 5_000

_COUNT_QUEUED = (
    select(models.Document.project_id, func.count())
    .where(models.Document.status == DocumentStatus.QUEUED)
    .group_by(models.Document.project_id)
)


@dataclass(frozen=True, slots=True)
class QueuedDocuments:
    """The documents that are queued; `oldest_seconds` is how long the first of them has waited, 0 if there is none."""

    count: int
    oldest_seconds: float


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many documents of each project are queued."""

    by_project: Counter[str]

    @classmethod
    def read(cls, db: Session) -> "QueueCounts":
        """The counts now."""
        return cls(Counter({row[0]: row[1] for row in db.connection().execute(_COUNT_QUEUED)}))


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many documents may be queued at once."""

    total: int
    per_project: int

    def take_place(self, counts: QueueCounts, project_id: str) -> None:
        """Count one more document of the project. Raises Unavailable if the queue has no room for it."""
        of_project, queued = counts.by_project[project_id], counts.by_project.total()
        if of_project >= self.per_project:
            what = f"At most {self.per_project:,} documents of a project may wait at once"
        elif queued >= self.total:
            what = f"At most {self.total:,} documents may wait at once"
        else:
            counts.by_project[project_id] += 1
            return
        raise errors.Unavailable(f"{what}; try again in a moment.", "ingestion", _RETRY_MS)
