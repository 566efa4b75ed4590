"""Limit the queued documents, in total and per project, so that no project fills the queue."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.statuses import DocumentStatus

# When to retry if the queue is full; most documents take a fraction of a second.
_RETRY_MS = 5_000

_COUNT_QUEUED = (
    select(models.Document.project_id, func.count(), func.min(models.Document.queued_at))
    .where(models.Document.status == DocumentStatus.QUEUED)
    .group_by(models.Document.project_id)
)


@dataclass(frozen=True, slots=True)
class QueuedDocuments:
    """The number of queued documents, and how long the oldest has waited; 0 if there is none.

    `held_up` of them wait for an embedding model, for a reason.
    """

    count: int
    oldest_seconds: float
    held_up: int
    reason: str | None

    @classmethod
    def read(cls, pause_reason: Callable[[str], str | None], db: Session) -> "QueuedDocuments":
        """Count them. `pause_reason` says why a project is paused, if it is."""
        rows = db.connection().execute(_COUNT_QUEUED).all()
        oldest = min((since for _, _, since in rows), default=None)
        reasons = [(count, reason) for id, count, _ in rows if (reason := pause_reason(id)) is not None]
        return cls(
            sum(count for _, count, _ in rows),
            max(0.0, (models.now() - oldest).total_seconds()) if oldest else 0.0,
            sum(count for count, _ in reasons),
            reasons[0][1] if reasons else None,
        )


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many documents of each project are queued."""

    by_project: Counter[str]

    @classmethod
    def read(cls, db: Session) -> "QueueCounts":
        """Read the current counts."""
        return cls(Counter({row[0]: row[1] for row in db.connection().execute(_COUNT_QUEUED)}))


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many documents may be queued at once."""

    total: int
    per_project: int

    def reserve_slot(self, counts: QueueCounts, project_id: str) -> None:
        """Count one more document of the project. Raises Unavailable if the queue is full."""
        in_project, in_total = counts.by_project[project_id], counts.by_project.total()
        if in_project >= self.per_project:
            limit = f"At most {self.per_project:,} documents of a project may wait at once"
        elif in_total >= self.total:
            limit = f"At most {self.total:,} documents may wait at once"
        else:
            counts.by_project[project_id] += 1
            return
        raise errors.Unavailable(f"{limit}; try again in a moment.", "ingestion", _RETRY_MS)
