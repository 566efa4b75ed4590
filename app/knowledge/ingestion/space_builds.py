"""The steps of building embedding spaces and removing their vectors: leases, and one bounded transaction per step.

Chunks get their vectors in the order of their ids, and new chunks have the highest ids. So one number, `built_to`, is
all that a process needs to continue where another was killed.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from app.database import models
from app.database.leases import LeaseOwner
from app.database.locks import Lock, ProjectLock
from app.database.protocol import Database
from app.knowledge.index.protocol import Index, SpaceKey
from app.knowledge.ingestion.embedding import text_to_embed
from app.knowledge.ingestion.space_requests import is_kept, retire_active
from app.providers.base import Vectors
from app.statuses import EmbeddingSpaceState

BATCH_SIZE = 256
"""Chunks that are embedded and stored, or whose vectors are removed, in one step."""

SwitchResult = Literal["SWITCHED", "CHUNKS_ADDED", "ENDED"]
"""The project is now searched with the space; or new chunks need a vector first; or the build has already ended."""

_UNFINISHED = (EmbeddingSpaceState.BUILDING, EmbeddingSpaceState.RETIRED)
_NEXT_CHUNKS = (
    select(models.Chunk.id, models.Chunk.heading, models.Chunk.text, models.Document.title)
    .join(models.Document, models.Document.id == models.Chunk.document_id)
    .where(models.Chunk.project_id == bindparam("project"), models.Chunk.id > bindparam("after"))
    .order_by(models.Chunk.id)
    .limit(BATCH_SIZE)
)
_LAST_CHUNKS = (
    select(models.Chunk.id)
    .where(models.Chunk.project_id == bindparam("project"), models.Chunk.id <= bindparam("before"))
    .order_by(models.Chunk.id.desc())
    .limit(BATCH_SIZE)
)
_EXISTING = select(models.Chunk.id).where(models.Chunk.id.in_(bindparam("ids", expanding=True)))
_COUNT_CHUNKS = select(func.count(models.Chunk.id)).where(models.Chunk.project_id == bindparam("project"))
_ANY_CHUNK = _NEXT_CHUNKS.with_only_columns(models.Chunk.id, maintain_column_froms=True).limit(1)


@dataclass(frozen=True, slots=True)
class ChunkBatch:
    """The next chunks that need a vector, and how many chunks the project has."""

    ids: list[int]
    texts: list[str]
    project_chunks: int


class SpaceBuilds:
    """The spaces that the processes on this database build and remove. Each space belongs to one process at a time."""

    def __init__(self, database: Database, index: Index, owner: LeaseOwner) -> None:
        self._database = database
        self._index = index
        self._owner = owner
        self._working = set[str]()

    async def claim_space(self) -> models.EmbeddingSpace | None:
        """Claim a space to build or remove that no living process works on; None if there is none."""
        waiting = select(models.EmbeddingSpace).where(models.EmbeddingSpace.state.in_(_UNFINISHED))
        rows = await self._database.run_read(lambda db: db.scalars(waiting.order_by(models.EmbeddingSpace.id)).all())
        for row in rows:
            # crash guard: reembed.owner
            is_free = row.owner == self._owner.name or self._owner.is_gone(row.owner, row.lease_until)
            if row.id in self._working or not is_free or is_kept(row):
                continue
            self._working.add(row.id)
            try:
                claimed = await self._database.run_write(partial(self._claim, row.id, row.owner))
            except BaseException:
                self._working.discard(row.id)
                raise
            if claimed is not None:
                return claimed  # kill point: reembed.claimed
            self._working.discard(row.id)
        return None

    def _claim(self, space_id: str, owner: str | None, db: Session) -> models.EmbeddingSpace | None:
        # Locked, because it may be cancelled or claimed meanwhile.
        space = db.get(models.EmbeddingSpace, space_id, with_for_update=True)
        if space is None or space.owner != owner or space.state not in _UNFINISHED or is_kept(space):
            return None
        space.owner, space.lease_until = self._owner.name, self._owner.lease_end()
        db.flush()
        return space

    async def release_space(self, space_id: str) -> None:
        """Release a space, so that any process can claim it."""
        mine = and_(models.EmbeddingSpace.id == space_id, models.EmbeddingSpace.owner == self._owner.name)
        try:
            await self._update(mine, owner=None, lease_until=None)
        finally:  # not earlier: another worker of this process could claim the space, and lose it to this update
            self._working.discard(space_id)

    async def renew_leases(self) -> None:
        """Renew the leases of the spaces that this process works on."""
        if self._working:
            mine = and_(
                models.EmbeddingSpace.id.in_(list(self._working)), models.EmbeddingSpace.owner == self._owner.name
            )
            await self._update(mine, lease_until=self._owner.lease_end())

    async def read_batch(self, space: models.EmbeddingSpace) -> ChunkBatch:
        """Read the next chunks without a vector; none if all have one."""

        def read(db: Session) -> ChunkBatch:
            values = {"project": space.project_id, "after": space.built_to}
            rows = db.connection().execute(_NEXT_CHUNKS, values).all()
            total = db.connection().execute(_COUNT_CHUNKS, values).scalar_one()
            texts = [text_to_embed(row.title, row.heading, row.text) for row in rows]
            return ChunkBatch([row.id for row in rows], texts, total)

        return await self._database.run_read(read)

    async def store_batch(self, space: models.EmbeddingSpace, batch: ChunkBatch, vectors: Vectors) -> bool:
        """Store the vectors of a batch, except for chunks removed meanwhile; returns False if the build has ended."""
        stored = await self._database.run_write(partial(self._store, space, batch, vectors), _lock(space))
        if stored:
            space.built_to = batch.ids[-1]  # kill point: reembed.committed
        return stored

    def _store(self, space: models.EmbeddingSpace, batch: ChunkBatch, vectors: Vectors, db: Session) -> bool:
        if not self._advance(db, space, built_to=batch.ids[-1], problem=None):  # crash guard: reembed.progress
            return False
        existing = set(db.connection().execute(_EXISTING, {"ids": batch.ids}).scalars())  # crash guard: reembed.vectors
        rows = [row for row, id in enumerate(batch.ids) if id in existing]
        ids = [batch.ids[row] for row in rows]
        if ids:
            # Vectors that already exist, for whatever reason, would violate uniqueness each time.
            self._index.vectors.remove_vectors(db, SpaceKey.from_row(space), ids)
            self._index.vectors.add_vectors(db, SpaceKey.from_row(space), ids, vectors[rows])
        return True  # kill point: reembed.committing

    async def switch(self, space: models.EmbeddingSpace) -> SwitchResult:
        """Activate this space and retire the former one, if all chunks have a vector and the build has not ended."""
        return await self._database.run_write(partial(self._switch, space), _lock(space), Lock.EMBEDDING_SPACES)

    def _switch(self, space: models.EmbeddingSpace, db: Session) -> SwitchResult:
        values = {"project": space.project_id, "after": space.built_to}
        if db.connection().execute(_ANY_CHUNK, values).first() is not None:
            return "CHUNKS_ADDED"
        mine = self._is_mine(space)
        if db.connection().execute(select(models.EmbeddingSpace.id).where(mine)).first() is None:
            return "ENDED"
        retire_active(db, space.project_id)
        is_active = {"state": EmbeddingSpaceState.ACTIVE, "owner": None, "lease_until": None, "built_to": 0}
        self._advance(db, space, **is_active)  # crash guard: switch.active
        db.connection().execute(
            update(models.Project)
            .where(models.Project.id == space.project_id)
            .values(index_version=models.Project.index_version + 1)
        )
        return "SWITCHED"  # kill point: switch.committing

    async def note_problem(self, space: models.EmbeddingSpace, problem: str, *, failed: bool) -> None:
        """Record what a build is waiting for, or why it has failed."""
        state = EmbeddingSpaceState.FAILED if failed else EmbeddingSpaceState.BUILDING
        await self._update(self._is_mine(space), problem=problem, state=state)

    async def is_building(self, space: models.EmbeddingSpace) -> bool:
        """Whether this process is still building the space."""
        mine = select(models.EmbeddingSpace.id).where(self._is_mine(space))
        return await self._database.run_read(lambda db: db.scalar(mine)) is not None

    async def remove_batch(self, space: models.EmbeddingSpace) -> bool:
        """Remove a batch of a retired space's vectors, newest first, and finally its row; returns True when done."""
        return await self._database.run_write(partial(self._remove, space.id), _lock(space))

    def _remove(self, space_id: str, db: Session) -> bool:
        # Locked, because its model may be requested again meanwhile.
        space = db.get(models.EmbeddingSpace, space_id, with_for_update=True)
        if space is None or space.owner != self._owner.name or space.state != EmbeddingSpaceState.RETIRED:
            return True
        values = {"project": space.project_id, "before": space.built_to}
        ids = list(db.connection().execute(_LAST_CHUNKS, values).scalars())
        if not ids:
            db.connection().execute(delete(models.EmbeddingSpace).where(models.EmbeddingSpace.id == space_id))
            self._index.vectors.forget_space(SpaceKey.from_row(space))
            return True
        self._index.vectors.remove_vectors(db, SpaceKey.from_row(space), ids)  # crash guard: retire.vectors
        space.built_to = ids[-1] - 1
        db.flush()
        return False  # kill point: retire.committing

    def _is_mine(self, space: models.EmbeddingSpace) -> ColumnElement[bool]:
        return and_(
            models.EmbeddingSpace.id == space.id,
            models.EmbeddingSpace.state == EmbeddingSpaceState.BUILDING,
            models.EmbeddingSpace.owner == self._owner.name,
            models.EmbeddingSpace.built_to == space.built_to,
        )

    def _advance(self, db: Session, space: models.EmbeddingSpace, **values: object) -> bool:
        """Update the row of a space, if this process is still building it; returns False if the build was cancelled."""
        return (
            db.connection().execute(update(models.EmbeddingSpace).where(self._is_mine(space)).values(values)).rowcount
            == 1
        )

    async def _update(self, condition: ColumnElement[bool], **values: object) -> None:
        statement = update(models.EmbeddingSpace).where(condition).values(values)
        await self._database.run_write(lambda db: db.connection().execute(statement))


def _lock(space: models.EmbeddingSpace) -> ProjectLock:
    return ProjectLock(Lock.DOCUMENTS, space.project_id)
