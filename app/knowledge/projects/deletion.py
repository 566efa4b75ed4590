"""Delete projects: a project disappears for all users at once, then its content is deleted in small transactions.

Deleting a chunk with its full text and vectors takes about 0.1 ms. In one transaction, a large project would keep all
other writers waiting for seconds.
"""

from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.locks import Lock, ProjectLock
from app.database.protocol import Database
from app.database.rows import delete_sessions
from app.events.outbox import Outbox
from app.knowledge.index.protocol import Index, SpaceKey
from app.knowledge.notifications import project_deleted
from app.knowledge.spaces import EmbeddingSpaces
from app.notifier import topics
from app.notifier.protocol import Notifier

# Limits per transaction, which then takes a few hundredths of a second.
_CHUNKS, _DOCUMENTS, _BYTES = 500, 100, 20_000_000


class ProjectDeletion:
    """Deletes projects, including those whose deletion was started by a process that has ended."""

    def __init__(
        self, database: Database, index: Index, spaces: EmbeddingSpaces, notifier: Notifier, outbox: Outbox
    ) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._notifier = notifier
        self._outbox = outbox
        self._running = set[str]()

    async def delete_project(self, project_id: str) -> None:
        """Delete the project with its documents, chunks, index entries, sessions and answers. Raises NotFound.

        Repeating a deletion that was interrupted completes it.
        """
        await self._database.run_write(partial(self._mark_deleted, project_id), _lock(project_id))
        self._notify_changes(project_id)  # kill point: project.marked
        await self._delete_content(project_id)

    async def finish_deletions(self) -> None:
        """Delete the remaining content of projects that are marked as deleted."""
        marked = select(models.Project.id).where(models.Project.deleted_at.is_not(None))
        for project_id in await self._database.run_read(lambda db: db.scalars(marked).all()):
            if project_id not in self._running:
                await self._delete_content(project_id)

    def _mark_deleted(self, project_id: str, db: Session) -> None:
        """Mark the project as deleted, so that nobody sees it any more."""
        project = db.get(models.Project, project_id)
        if project is None:
            raise errors.NotFound("project", project_id)
        if project.deleted_at is not None:
            return
        project.deleted_at = models.now()
        db.execute(delete(models.ProjectMember).where(models.ProjectMember.project_id == project_id))
        self._outbox.write_events(db, [project_deleted(project_id)])
        db.flush()  # kill point: project.marking

    async def _delete_content(self, project_id: str) -> None:
        self._running.add(project_id)
        try:
            for delete_some in (_delete_sessions, self._delete_chunks, _delete_documents):
                while await self._database.run_write(partial(delete_some, project_id), _lock(project_id)):
                    pass
            spaces = await self._database.run_write(partial(self._delete_rest, project_id), _lock(project_id))
        finally:
            self._running.discard(project_id)
        for space in spaces:
            self._index.vectors.forget_space(space)
        self._notify_changes(project_id)

    def _delete_chunks(self, project_id: str, db: Session) -> bool:
        """Delete some chunks with their full text and vectors; returns whether there may be more."""
        ids = self._remove_from_index(project_id, db, _CHUNKS)
        if ids:
            db.execute(delete(models.Chunk).where(models.Chunk.id.in_(ids)))
            changed = update(models.Project).where(models.Project.id == project_id)
            db.execute(changed.values(index_version=models.Project.index_version + 1))
        return len(ids) == _CHUNKS  # kill point: project.shrinking

    def _delete_rest(self, project_id: str, db: Session) -> list[SpaceKey]:
        """Delete the project and anything added to it meanwhile; returns its spaces."""
        spaces = self._spaces.list_space_keys(db, project_id)
        self._remove_from_index(project_id, db)
        db.execute(delete(models.Project).where(models.Project.id == project_id))  # kill point: project.forgotten
        return spaces  # kill point: project.committing

    def _remove_from_index(self, project_id: str, db: Session, limit: int | None = None) -> Sequence[int]:
        """Remove at most `limit` chunks from the indexes; returns their ids."""
        of_project = select(models.Chunk.id).where(models.Chunk.project_id == project_id)
        ids = db.scalars(of_project.limit(limit)).all()
        self._index.remove_chunks(db, project_id, self._spaces.list_space_keys(db, project_id), ids)
        return ids

    def _notify_changes(self, project_id: str) -> None:
        of_project = topics.project_documents(project_id), topics.project_deleted(project_id)
        for topic in (*of_project, topics.ANSWERS_ENDED, topics.ACCESS):
            self._notifier.notify(topic)


def _delete_sessions(project_id: str, db: Session) -> bool:
    """Delete some chat sessions with their messages; returns whether there may be more."""
    return delete_sessions(db, models.ChatSession.project_id == project_id) > 0


def _delete_documents(project_id: str, db: Session) -> bool:
    """Delete some documents with their bytes; returns whether there may be more."""
    document = models.Document
    of_project = select(document.id, document.bytes).where(document.project_id == project_id)
    rows = db.execute(of_project.limit(_DOCUMENTS)).all()
    before = accumulate((row.bytes for row in rows), initial=0)
    ids = [row.id for row, size in zip(rows, before, strict=False) if size < _BYTES]
    db.execute(delete(document).where(document.id.in_(ids)))
    return len(ids) == _DOCUMENTS or len(ids) < len(rows)


def _lock(project_id: str) -> ProjectLock:
    return ProjectLock(Lock.DOCUMENTS, project_id)
