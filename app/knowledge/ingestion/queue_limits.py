"""Limit the queued documents, in total and per project, so that no project fills the queue."""

from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.database import models
from app.statuses import DocumentStatus

# When to retry after a full queue; most documents take a fraction of a second.
_RETRY_MS = 5_000


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many documents may be queued at once."""

    total: int
    per_project: int

    async def check_capacity(self, db: AsyncSession, project_id: str) -> None:
        """Raises Unavailable if the queue has no room for another document of the project."""
        own = func.count().filter(models.Document.project_id == project_id)
        counted = select(func.count(), own).where(models.Document.status == DocumentStatus.QUEUED)
        queued, of_project = (await db.execute(counted)).one()
        if of_project >= self.per_project:
            what = f"{of_project:,} documents of this project are waiting, the most allowed for one project"
        elif queued >= self.total:
            what = f"{queued:,} documents are waiting, the most allowed at once"
        else:
            return
        raise errors.Unavailable(f"{what}; try again in a moment.", "ingestion", _RETRY_MS)
