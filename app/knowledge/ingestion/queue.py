"""The ingestion queue, stored in the documents table: QUEUED → PROCESSING → READY or FAILED.

A row being processed names its process (see database/leases), so that several processes can share the queue.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import ColumnElement, and_, bindparam, case, func, or_, select, update
from sqlalchemy.orm import Session

from app.database import models
from app.database.leases import LeaseOwner
from app.database.protocol import Database
from app.knowledge.ingestion.embedding_pauses import EmbeddingPauses
from app.knowledge.ingestion.indexing import is_still_processing
from app.knowledge.ingestion.queue_limits import QueuedDocuments
from app.knowledge.ingestion.scheduling import ProjectQueue, SlowProjects, next_project, waiting_time, without_queued
from app.knowledge.spaces import read_active_spaces
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.statuses import DocumentStatus, IngestionStage

# Small documents are claimed together: a transaction and a model call cost more than their content.
BATCH_SIZE = 128
_BATCH_BYTES = 500_000
# While documents of a project arrive a few at a time, they get this long to form a batch.
_SMALL_BATCH, _GATHER_SECONDS = range(2, BATCH_SIZE // 2), 0.1
# How long to wait before choosing again if others have claimed, or are changing, the chosen rows.
_LOCKED_SECONDS = 0.02

_IS_QUEUED = models.Document.status == DocumentStatus.QUEUED
_IS_PROCESSING = models.Document.status == DocumentStatus.PROCESSING
_IS_EITHER = models.Document.status.in_((DocumentStatus.QUEUED, DocumentStatus.PROCESSING))
_IS_PAUSED = models.Document.project_id.in_(bindparam("paused", expanding=True))
# The project's longest-standing owner: sharing a project does not make its documents another user's.
_OWNER = (
    select(models.ProjectMember.user_id)
    .where(models.ProjectMember.project_id == models.Document.project_id, models.ProjectMember.role == "OWNER")
    .order_by(models.ProjectMember.created_at, models.ProjectMember.user_id)
    .limit(1)
    .correlate(models.Document)
    .scalar_subquery()
)
_SEVERAL_USERS = select(models.User.id).limit(1).offset(1).exists()
_SELECT_QUEUES = (
    select(
        models.Document.project_id,
        func.count().filter(_IS_PROCESSING),
        func.min(models.Document.queued_at).filter(_IS_QUEUED),
        func.count().filter(_IS_QUEUED),
        case((_SEVERAL_USERS, _OWNER)),
    )
    .where(_IS_EITHER, _IS_PROCESSING | ~_IS_PAUSED)  # workers of a paused project still count for its user
    .group_by(models.Document.project_id)
)
_SELECT_QUEUED = (
    select(models.Document.id, models.Document.bytes)
    .where(_IS_QUEUED, models.Document.project_id == bindparam("project"))
    .order_by(models.Document.queued_at, models.Document.id)
    .limit(BATCH_SIZE)
)


@dataclass(frozen=True, slots=True)
class _View:
    """The state of this process when it chooses documents from the queue.

    `paused` maps each paused project to the embedding space that it had when it was paused.
    """

    paused: Mapping[str, str | None]
    busy: Counter[str]
    slow: frozenset[str]
    projects_served: Mapping[str, datetime]
    users_served: Mapping[str | None, datetime]
    gathering: Collection[str]
    workers: int

    def read_queues(self, db: Session) -> list[ProjectQueue]:
        """Projects with documents that are being processed, or queued and not paused."""
        rows = db.connection().execute(_SELECT_QUEUES, {"paused": self._find_paused(db)}).all()
        served, now = self.projects_served, models.now()
        users = {id: moment for id, moment in self.users_served.items() if moment <= now}
        return [
            ProjectQueue(id, running, since and waiting_time(since, served.get(id), now), queued, user, users.get(user))
            for id, running, since, queued, user in rows
        ]

    def _find_paused(self, db: Session) -> list[str]:
        """The projects that are still paused: switching a project to another model, in any process, ends its pause."""
        spaces = read_active_spaces(self.paused, db) if self.paused else {}
        return [project_id for project_id, space_id in self.paused.items() if spaces.get(project_id) == space_id]

    def choose_documents(self, db: Session) -> tuple[list[ProjectQueue], list[str]]:
        """All queues, and the ids of the documents to claim next."""
        queues = self.read_queues(db)
        gathering = {queue.project_id for queue in queues if queue.queued < BATCH_SIZE} & set(self.gathering)
        project_id = next_project(without_queued(gathering, queues), self.busy, self.slow, self.workers)
        ids: list[str] = []
        if project_id is not None:
            remaining_bytes = _BATCH_BYTES
            for document_id, size in db.connection().execute(_SELECT_QUEUED, {"project": project_id}):
                remaining_bytes -= size
                if ids and remaining_bytes < 0:
                    break
                ids.append(document_id)
        return queues, ids


class IngestionQueue:
    """The queued documents of all projects, for `workers` of this process; users take turns, then their projects."""

    def __init__(self, database: Database, notifier: Notifier, owner: LeaseOwner, workers: int) -> None:
        self._database = database
        self._notifier = notifier
        self._owner = owner
        self.workers = workers
        self._busy_workers = Counter[str]()
        self._claiming = asyncio.Lock()
        self._requeuing = asyncio.Lock()
        # The owners of projects with documents in the queue or being processed, and when both were last served.
        self._users = dict[str, str | None]()
        self._projects_served = dict[str, datetime]()
        self._users_served = dict[str | None, datetime]()
        self._gathering_until = dict[str, float]()
        self._unfinished = set[str]()
        self._unclear: Collection[str] = ()
        self.pauses = EmbeddingPauses()
        self.slow_projects = SlowProjects()

    async def claim_documents(self) -> list[models.Document]:
        """Claim the next document, or several small ones, of one project, which then has a worker until released.

        Documents are chosen by reading only, so an idle queue writes nothing. Those that another process claims first
        are skipped.
        """
        async with self._claiming:
            # A failed claim may have been committed, if only the reply was lost.
            await self._requeue_ours(self._unclear)
            self._unclear = ()
            while ids := await self._choose_documents():
                self._unclear = ids
                taken = await self._database.run_write(partial(self._claim, ids))
                self._unclear = ()
                if taken:
                    project_id = taken[0].project_id
                    self._projects_served[project_id] = self._users_served[self._users.get(project_id)] = models.now()
                    self._busy_workers[project_id] += 1
                    if len(taken) in _SMALL_BATCH:
                        self._gathering_until[project_id] = time.monotonic() + _GATHER_SECONDS
                    return taken
                await asyncio.sleep(_LOCKED_SECONDS)
        return []

    def is_idle(self) -> bool:
        """Whether nothing was queued at the last check, and this process has finished everything that it claimed."""
        return not (self._users or self._busy_workers or self._unfinished)

    def seconds_until_check(self) -> float | None:
        """When to check the queue without a notification, because a batch has formed or a pause has ended."""
        waits = [end - time.monotonic() for end in self._gathering_until.values()]
        if (pause := self.pauses.seconds_until_resume()) is not None:
            waits.append(pause)
        return max(0.0, min(waits)) if waits else None

    async def pause_project(self, project_id: str, reason: str, retry_after: float | None) -> float:
        """Pause a project whose model failed, until it switches its model or time is up; returns the seconds."""
        spaces = await self._database.run_read(partial(read_active_spaces, [project_id]))
        return self.pauses.pause_project(project_id, reason, retry_after, spaces.get(project_id))

    def release_project(self, project_id: str) -> None:
        """Release the project's worker, which has finished the documents that it claimed."""
        self._busy_workers -= Counter([project_id])  # also drops zero counts
        self._notifier.notify(topics.INGESTION_QUEUE)

    async def others_are_waiting(self, project_id: str) -> bool:
        """Whether another project needs the worker that a slow document of this project occupies."""
        if self._busy_workers.total() < self.workers:
            return False  # a free worker will take them
        view = self._view()
        queues = await self._database.run_read(view.read_queues)
        others = without_queued({project_id, *view.slow}, queues)
        return next_project(others, self._busy_workers - Counter([project_id]), view.slow, self.workers) is not None

    async def is_still_ours(self, document: models.Document) -> bool:
        """Whether a document's claim is still valid: it was neither deleted nor replaced."""
        async with self._database.read() as db:
            return await db.scalar(select(models.Document.id).where(is_still_processing(document))) is not None

    async def requeue_documents(self, documents: Sequence[models.Document], *, behind: bool = False) -> None:
        """Requeue claimed documents; `behind` puts them after the other documents of their project."""
        await self._requeue_ours([document.id for document in documents], behind=behind)

    async def requeue_all(self) -> None:
        """Requeue everything that this process has claimed."""
        await self._requeue(models.Document.owner == self._owner.name)

    def remember_unfinished(self, documents: Sequence[models.Document]) -> None:
        """Remember documents that could not be finished because the database was not writable."""
        self._unfinished.update(document.id for document in documents)

    async def requeue_unfinished(self) -> None:
        """Requeue the remembered documents; workers retry until it succeeds, because no other process would do it."""
        # One worker at a time: a second would find nothing to do, and report that the outage is over.
        async with self._requeuing:
            left, self._unfinished = self._unfinished, set[str]()
            try:
                await self._requeue_ours(left)
            except BaseException:
                self._unfinished |= left
                raise

    async def recover_abandoned(self) -> int:
        """Requeue the documents of dead processes; returns how many."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.Document).where(_IS_PROCESSING))
            left = {row.id: row.owner for row in rows if self._owner.is_gone(row.owner, row.lease_until)}
        if left:  # kill point: recover.documents
            # Another process may have recovered and claimed them by now.
            theirs = or_(models.Document.owner.is_(None), models.Document.owner.in_(filter(None, left.values())))
            await self._requeue(theirs & models.Document.id.in_(left))
        return len(left)

    async def renew_leases(self) -> None:
        """Renew the leases of the documents that are being processed here."""
        mine = and_(models.Document.owner == self._owner.name, _IS_PROCESSING)
        async with self._database.read() as db:
            if await db.scalar(select(models.Document.id).where(mine).limit(1)) is None:
                return
        async with self._database.begin() as db:
            await db.execute(
                update(models.Document)
                .where(mine)
                .values(lease_until=self._owner.lease_end(), updated_at=models.Document.updated_at)
                .execution_options(synchronize_session=False)
            )

    async def describe_queued(self) -> QueuedDocuments:
        """How many documents are queued, since when, and how many of them wait for their embedding model."""
        return await self._database.run_read(partial(QueuedDocuments.read, self.pauses.pause_reason))

    async def _choose_documents(self) -> list[str]:
        """The ids of the documents to claim next."""
        queues, ids = await self._database.run_read(self._view().choose_documents)
        self._users = {queue.project_id: queue.user_id for queue in queues}
        self._projects_served = {id: moment for id, moment in self._projects_served.items() if id in self._users}
        self._users_served = {id: self._users_served[id] for id in self._users_served.keys() & {*self._users.values()}}
        return ids

    def _view(self) -> _View:
        paused, busy = self.pauses.paused_projects(), self._busy_workers.copy()
        slow, now = self.slow_projects.current_projects(), time.monotonic()
        self._gathering_until = {id: end for id, end in self._gathering_until.items() if end > now}
        served = self._projects_served.copy(), self._users_served.copy()
        return _View(paused, busy, slow, *served, frozenset(self._gathering_until), self.workers)

    def _claim(self, ids: Sequence[str], db: Session) -> list[models.Document]:
        """Mark documents as ours; returns those that were still queued, in order. Skips rows locked by others."""
        is_free = and_(models.Document.id.in_(ids), _IS_QUEUED)
        free = select(models.Document.id).where(is_free).with_for_update(skip_locked=True)
        taken = db.scalars(
            update(models.Document)
            .where(models.Document.id.in_(free))
            .values(
                status=DocumentStatus.PROCESSING,
                stage=IngestionStage.PARSING,
                progress=models.Document.progress + 1,
                owner=self._owner.name,
                lease_until=self._owner.lease_end(),
            )
            .returning(models.Document)
            .execution_options(synchronize_session=False)
        )
        return sorted(taken, key=lambda document: ids.index(document.id))  # kill point: claim.committing

    async def _requeue_ours(self, ids: Collection[str], *, behind: bool = False) -> None:
        if ids:
            mine = models.Document.owner == self._owner.name
            await self._requeue(mine & models.Document.id.in_(ids), behind=behind)

    async def _requeue(self, condition: ColumnElement[bool], *, behind: bool = False) -> None:
        position = {"queued_at": models.now()} if behind else {}
        async with self._database.begin() as db:  # kill point: recover.queue
            await db.execute(
                update(models.Document)
                .where(condition, _IS_PROCESSING)
                .values(
                    status=DocumentStatus.QUEUED, stage=None, owner=None, chunks_done=0, chunks_total=None, **position
                )
                .execution_options(synchronize_session=False)
            )
        self._notifier.notify(topics.INGESTION_QUEUE)
