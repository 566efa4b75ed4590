"""Read the changed documents of a project once for all who follow it in this process."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from typing import Any, TypeVar

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.protocol import Database

T = TypeVar("T")

_SELECT_PROJECT = select(models.Project.id).where(models.Project.id == bindparam("project"))
_SELECT_MEMBERS = (
    select(models.ProjectMember.user_id)
    .join(models.User, models.User.id == models.ProjectMember.user_id)
    .where(models.ProjectMember.project_id == bindparam("project"), models.User.disabled_at.is_(None))
)
_SELECT_CHANGED = (
    select(models.Document.id, models.Document.updated_at)
    .where(models.Document.project_id == bindparam("project"), models.Document.updated_at > bindparam("since"))
    .order_by(models.Document.updated_at, models.Document.id)
)
_SELECT_DOCUMENTS = select(models.Document).where(models.Document.id.in_(bindparam("ids", expanding=True)))

# Databases limit the number of values in one statement.
_ROWS_PER_STATEMENT = 500
# The shortest time between two readings of a project whose documents keep changing.
_GATHER_SECONDS = 0.1
# How long the rows of a reading are kept: the next reading needs most of them again.
_KEPT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ProjectChanges:
    """Documents that changed since some moment, in the order of the changes, and who may see them.

    `new` are those that the reading `previous` did not have, or had in another state.
    """

    documents: Sequence[models.Document]
    new: Sequence[models.Document]
    exists: bool
    members: frozenset[str]
    reading: int
    previous: int
    _results: dict[tuple[object, str], Any] = field(default_factory=dict[tuple[object, str], Any])

    def changes_since(self, reading: int) -> Sequence[models.Document]:
        """The changes for a follower who has seen this reading: all of them, unless it is the previous one."""
        return self.new if reading == self.previous else self.documents

    def make_once(self, make: Callable[[models.Document], T], document: models.Document) -> T:
        """The result of `make` for a document, made once for all who follow the project."""
        key = make, document.id
        if key not in self._results:
            self._results[key] = make(document)
        return self._results[key]

    def is_visible_to(self, user_id: str | None) -> bool:
        """Whether the user sees the project; None is a user who sees all."""
        return self.exists and (user_id is None or user_id in self.members)


@dataclass(eq=False, slots=True)
class _Reading:
    since: datetime
    result: asyncio.Task[ProjectChanges]


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of the last reading, its number, and when it began."""

    began: float
    reading: int
    by_id: Mapping[str, models.Document]


_NOTHING = _Rows(0.0, 0, {})


class ProjectChangesReader:
    """Followers of one project who wake together read together."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.max_clock_difference = database.max_clock_difference
        self._readings: dict[str, _Reading] = {}
        self._rows: dict[str, _Rows] = {}
        self._numbers = count(1)

    async def read(self, project_id: str, since: datetime) -> ProjectChanges:
        """The changes after `since`, by the clock of any server, and some before. The read begins after this call."""
        reading = self._readings.get(project_id)
        if reading is None or reading.since > since:
            task = asyncio.create_task(self._read(project_id, since))
            reading = self._readings[project_id] = _Reading(since, task)
        # Shielded: if one caller is cancelled, the others go on waiting.
        return await asyncio.shield(reading.result)

    async def _read(self, project_id: str, since: datetime) -> ProjectChanges:
        """Wait for others who were woken by the same change, then read."""
        loop = asyncio.get_running_loop()
        last = self._rows.get(project_id)
        await asyncio.sleep(0 if last is None else last.began + _GATHER_SECONDS - loop.time())
        if (reading := self._readings.get(project_id)) and reading.result is asyncio.current_task():
            del self._readings[project_id]  # a caller from now on may have been woken by a later change
        began, last, number = loop.time(), last or _NOTHING, next(self._numbers)
        earliest = since - self.max_clock_difference
        found = await self._database.run_read(partial(_read_changes, project_id, earliest, last, number))
        rows = self._rows[project_id] = _Rows(began, number, {row.id: row for row in found.documents})
        loop.call_later(_KEPT_SECONDS, self._forget, project_id, rows)
        return found

    def _forget(self, project_id: str, rows: _Rows) -> None:
        if self._rows.get(project_id) is rows:
            del self._rows[project_id]


def _read_changes(project_id: str, since: datetime, last: _Rows, reading: int, db: Session) -> ProjectChanges:
    """Read the changes; rows that have not changed since the last reading are taken from it."""
    known, connection, values = last.by_id, db.connection(), {"project": project_id, "since": since}
    exists = connection.execute(_SELECT_PROJECT, values).scalar() is not None
    members = frozenset(connection.execute(_SELECT_MEMBERS, values).scalars())
    changed = connection.execute(_SELECT_CHANGED, values).all()
    rows = {id: known[id] for id, moment in changed if id in known and known[id].updated_at == moment}
    new = [id for id, _ in changed if id not in rows]
    for start in range(0, len(new), _ROWS_PER_STATEMENT):
        some = db.scalars(_SELECT_DOCUMENTS, {"ids": new[start : start + _ROWS_PER_STATEMENT]})
        rows |= {row.id: row for row in some}
    documents = [rows[id] for id, _ in changed]
    read = set(new)
    fresh = [row for row in documents if row.id in read]
    return ProjectChanges(documents, fresh, exists, members, reading, last.reading)
