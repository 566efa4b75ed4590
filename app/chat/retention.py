"""Delete chat sessions that are older than their project keeps them, when the next one is due."""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.protocol import Database
from app.database.rows import delete_sessions
from app.notifier import topics
from app.notifier.protocol import Notifier

log = logging.getLogger(__name__)

# No session is due sooner than a day after its last use, so that new sessions need not wake this task.
_DAY = timedelta(days=1)
_RETRY_SECONDS = 60.0
# How often to check whether another process, which deletes them, is still alive.
_STANDBY_SECONDS = 600.0


class Retention:
    """Deletes old sessions with their messages, pinned and archived ones, too. Sleeps while no project limits them."""

    def __init__(self, database: Database, notifier: Notifier) -> None:
        self._database = database
        self._notifier = notifier

    async def run(self) -> None:
        """Delete what is due, again and again."""
        with self._notifier.subscribe(topics.RETENTION) as changes:
            while True:
                try:
                    seconds = await self._delete_due_sessions()
                except (errors.Unavailable, SQLAlchemyError) as error:
                    log.warning("chat sessions that are due are deleted later: %s", error)
                    seconds = _RETRY_SECONDS
                with suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await changes.wait()

    async def _delete_due_sessions(self) -> float | None:
        """Returns the seconds until the next may be due; None if no project limits how long they are kept."""
        limited = select(models.Project.id, models.Project.retention_days).where(
            models.Project.retention_days.is_not(None)
        )
        rows = await self._database.run_read(lambda db: db.execute(limited).all())
        if rows and not await self._database.hold_upkeep():
            return _STANDBY_SECONDS
        projects = {id: timedelta(days=days) for id, days in rows if days is not None}
        next_due = models.now() + _DAY
        for project_id, max_age in projects.items():
            while await self._delete_sessions(project_id, max_age):
                pass
            oldest = await self._read_oldest_activity(project_id)
            if oldest is not None:
                next_due = min(next_due, oldest + max_age)
        # A second later, so that no session is checked just before it is due.
        return max(1.0, (next_due - models.now()).total_seconds() + 1) if projects else None

    async def _read_oldest_activity(self, project_id: str) -> datetime | None:
        session = models.ChatSession
        oldest = select(func.min(session.last_activity_at)).where(session.project_id == project_id)
        return await self._database.run_read(lambda db: db.scalar(oldest))

    async def _delete_sessions(self, project_id: str, max_age: timedelta) -> bool:
        """Delete a few; returns whether there may be more."""

        def delete(db: Session) -> int:
            session = models.ChatSession
            return delete_sessions(
                db, session.project_id == project_id, session.last_activity_at < models.now() - max_age
            )

        deleted = await self._database.run_write(delete)
        if deleted:
            log.info("chat sessions deleted at the end of their retention time: %d", deleted)
            self._notifier.notify(topics.ANSWERS_ENDED)
            self._notifier.notify(topics.ACCESS)
        return deleted > 0
