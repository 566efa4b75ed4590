"""Memories: facts about a user. Important and recent ones are given to the model.

A memory belongs to one user in one project: no other user sees it, and no answer in another project uses it.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids

MAX_CONTENT = 2000
# Per user and project. Memories get at most a tenth of the context window, so more would never be used.
MAX_MEMORIES = 500
_MAX_LOADED = 50


class Memories:
    """Stores memories. `read_memories` returns those above `min_importance` and younger than `max_age_days`."""

    def __init__(self, database: Database, min_importance: float, max_age_days: float) -> None:
        self._database = database
        self._min_importance = min_importance
        self._max_age = timedelta(days=max_age_days)

    async def remember(self, project_id: str, user_id: str, content: str, importance: float) -> models.Memory:
        """Store a fact; the same text again renews it. Raises NotFound for the project, or Invalid."""
        content = content.strip()
        _check_memory(content, importance)

        def write(db: Session) -> models.Memory:
            if db.get(models.Project, project_id) is None:
                raise errors.NotFound("project", project_id)
            existing = db.scalar(_select_memories(project_id, user_id).where(models.Memory.content == content))
            if existing is not None:
                existing.importance, existing.created_at = importance, models.now()
                return existing
            count = select(func.count()).select_from(_select_memories(project_id, user_id).subquery())
            if (db.scalar(count) or 0) >= MAX_MEMORIES:
                message = f"At most {MAX_MEMORIES} memories are kept in a project; forget some first."
                raise errors.Invalid.at("content", "TOO_LARGE", message)
            memory = models.Memory(project_id=project_id, user_id=user_id, content=content, importance=importance)
            db.add(memory)
            return memory

        return await self._database.run_write(write, Lock.MEMORIES)

    async def forget(self, memory_id: str, user_id: str) -> None:
        """Delete a memory. Raises NotFound, also for a memory of another user."""

        def write(db: Session) -> None:
            memory = db.get(models.Memory, memory_id)
            if memory is None or memory.user_id != user_id:
                raise errors.NotFound("memory", memory_id)
            db.delete(memory)

        await self._database.run_write(write)

    async def memories_by_project(self, project_ids: Sequence[str], user_id: str) -> list[list[models.Memory]]:
        """All memories of a user in each project, most important first; of equally important ones, newest first."""
        statement = select(models.Memory).where(
            models.Memory.project_id.in_(project_ids), models.Memory.user_id == user_id
        )
        found: dict[str, list[models.Memory]] = {project_id: [] for project_id in project_ids}
        for row in await self._database.run_read(lambda db: db.scalars(_order_memories(statement)).all()):
            found[row.project_id].append(row)
        return [found[project_id] for project_id in project_ids]

    async def by_ids(self, ids: Sequence[str], user_id: str) -> list[models.Memory | None]:
        """The memories with these ids, in order; None for each that is not this user's."""
        of_user = models.Memory.user_id == user_id
        return await self._database.run_read(lambda db: rows_by_ids(db, models.Memory, ids, of_user))

    def read_memories(self, db: Session, project_id: str, user_id: str) -> tuple[str, ...]:
        """The memories for an answer to this user, most important first; of equally important ones, newest first."""
        values = {
            "project": project_id,
            "user": user_id,
            "importance": self._min_importance,
            "since": models.now() - self._max_age,
        }
        return tuple(db.connection().execute(_FOR_ANSWER, values).scalars())


def _select_memories(project_id: str, user_id: str) -> Select[models.Memory]:
    return select(models.Memory).where(models.Memory.project_id == project_id, models.Memory.user_id == user_id)


def _order_memories(statement: Select[models.Memory]) -> Select[models.Memory]:
    # Ids increase with time, so they order memories with the same timestamp.
    return statement.order_by(models.Memory.importance.desc(), models.Memory.created_at.desc(), models.Memory.id.desc())


def _check_memory(content: str, importance: float) -> None:
    issues: list[errors.Issue] = []
    if not content:
        issues.append(errors.Issue(("content",), "REQUIRED", "The memory must not be empty."))
    if len(content) > MAX_CONTENT:
        message = f"The memory must have at most {MAX_CONTENT:,} characters."
        issues.append(errors.Issue(("content",), "TOO_LONG", message))
    if not 0 <= importance <= 1:
        issues.append(errors.Issue(("importance",), "OUT_OF_RANGE", "`importance` must be between 0 and 1."))
    if issues:
        raise errors.Invalid(*issues)


_FOR_ANSWER = (
    _order_memories(select(models.Memory).where(models.Memory.project_id == bindparam("project")))
    .where(
        models.Memory.user_id == bindparam("user"),
        models.Memory.importance > bindparam("importance"),
        models.Memory.created_at > bindparam("since"),
    )
    .with_only_columns(models.Memory.content)
    .limit(_MAX_LOADED)
)
"""The texts of the memories for an answer."""
