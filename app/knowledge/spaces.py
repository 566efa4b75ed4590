"""Embedding spaces: which model's vectors a project is searched with."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge.index.protocol import Index, SpaceKey
from app.providers.base import EmbeddingModel
from app.providers.registry import ModelRegistry
from app.statuses import DocumentStatus, EmbeddingSpaceState

_PENDING = (DocumentStatus.QUEUED, DocumentStatus.PROCESSING)
_ACTIVE = and_(
    models.EmbeddingSpace.project_id == models.Project.id, models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE
)
_SELECT_ACTIVE = (
    select(models.Project.local_providers_only, models.EmbeddingSpace)
    .outerjoin(models.EmbeddingSpace, _ACTIVE)
    .where(models.Project.id == bindparam("project"))
)
_SELECT_KEYS = (
    select(models.EmbeddingSpace.id, models.EmbeddingSpace.number, models.EmbeddingSpace.dimensions)
    .where(models.EmbeddingSpace.project_id == bindparam("project"))
    .order_by(models.EmbeddingSpace.id)
)


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """What a search needs to know about a project: its space, if any, and how many documents are not ready yet.

    `model` is the embedding model of the space. The index version grows with every change of the project's chunks.
    """

    space: SpaceKey | None
    model: str | None
    local_only: bool
    pending_documents: int
    index_version: int


class EmbeddingSpaces:
    """Embedding spaces of projects. Vectors of different models are never compared: each space has one model."""

    def __init__(self, database: Database, index: Index, embedders: ModelRegistry, default_model: str) -> None:
        self._database = database
        self._index = index
        self._models = embedders
        self._default_model = default_model

    def list_space_keys(self, db: Session, project_id: str) -> list[SpaceKey]:
        """The keys of a project's spaces in the index, oldest first."""
        return [SpaceKey(*row) for row in db.connection().execute(_SELECT_KEYS, {"project": project_id})]

    async def spaces_by_ids(self, ids: Sequence[str]) -> list[models.EmbeddingSpace | None]:
        """The spaces with these ids, in order; None where there is none."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.EmbeddingSpace).where(models.EmbeddingSpace.id.in_(ids)))
            found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def spaces_by_project(self, project_ids: Sequence[str]) -> list[list[models.EmbeddingSpace]]:
        """For each project its spaces, oldest first."""
        found: defaultdict[str, list[models.EmbeddingSpace]] = defaultdict(list)
        statement = select(models.EmbeddingSpace).where(models.EmbeddingSpace.project_id.in_(project_ids))
        async with self._database.read() as db:
            for space in await db.scalars(statement.order_by(models.EmbeddingSpace.id)):
                found[space.project_id].append(space)
        return [found[project_id] for project_id in project_ids]

    def embedding_model(self, name: str, local_only: bool) -> EmbeddingModel:
        """The model of a space. Raises ModelRefused where only local models may be used."""
        return self._models.embedding_model(name, local_only=local_only)

    async def ensure_space(self, project_id: str) -> tuple[models.EmbeddingSpace, EmbeddingModel]:
        """The active space and its model; creates the space with the default model if the project has none.

        The model is asked for its dimensions outside any transaction. Raises an AnswerError if that fails.
        """
        local_only, space = await self._database.run_read(partial(_find_space, project_id))
        if space is not None:
            return space, self.embedding_model(space.model, local_only)
        model = self._models.embedding_model(self._default_model, local_only=local_only)
        dimensions = await model.dimensions()
        create = partial(self._create_space, project_id, dimensions)
        return await self._database.run_write(create, Lock.EMBEDDING_SPACES), model

    def _create_space(self, project_id: str, dimensions: int, db: Session) -> models.EmbeddingSpace:
        """The project's first space, unless it was created meanwhile."""
        _, space = _find_space(project_id, db)
        if space is None:
            space = models.EmbeddingSpace(
                project_id=project_id,
                model=self._default_model,
                dimensions=dimensions,
                number=max((key.number + 1 for key in self.list_space_keys(db, project_id)), default=0),
                state=EmbeddingSpaceState.ACTIVE,
            )
            db.add(space)
            db.flush()
            self._index.vectors.prepare_space(db, SpaceKey.of_row(space))
        return space  # kill point: space.committing


def _find_space(project_id: str, db: Session) -> tuple[bool, models.EmbeddingSpace | None]:
    """Whether a project uses only local models, and its active space, if any. Raises NoResultFound."""
    local_only, space = db.execute(_SELECT_ACTIVE, {"project": project_id}).one()
    return local_only, space


def read_search_target(db: Session, project_id: str, document_ids: Sequence[str] | None = None) -> SearchTarget:
    """What a search of a project, or of some of its documents, needs to know first. One statement."""
    statement = _TARGET if document_ids is None else _TARGET_OF_DOCUMENTS
    row = db.connection().execute(statement, {"project_id": project_id, "document_ids": document_ids}).one_or_none()
    if row is None:
        return SearchTarget(None, None, False, 0, 0)
    space = None if row.id is None else SpaceKey(row.id, row.number, row.dimensions)
    return SearchTarget(space, row.model, row.local_providers_only, row.pending, row.index_version)


def read_index_version(db: Session, project_id: str) -> int:
    """The project's index version; 0 if there is no such project."""
    return db.connection().execute(_INDEX_VERSION, {"project_id": project_id}).scalar() or 0


def _select_target(*, of_documents: bool) -> Select[*tuple[Any, ...]]:
    """The space is null for a project that has none yet."""
    space, project, document = models.EmbeddingSpace, models.Project, models.Document
    pending = select(func.count()).where(document.project_id == project.id, document.status.in_(_PENDING))
    if of_documents:
        pending = pending.where(document.id.in_(bindparam("document_ids", expanding=True)))
    columns = (space.id, space.number, space.dimensions, space.model)
    return (
        select(
            *columns, project.local_providers_only, project.index_version, pending.scalar_subquery().label("pending")
        )
        .select_from(project)
        .outerjoin(space, _ACTIVE)
        .where(project.id == bindparam("project_id"))
    )


# Built once: building a statement takes longer than running it.
_TARGET, _TARGET_OF_DOCUMENTS = _select_target(of_documents=False), _select_target(of_documents=True)
_INDEX_VERSION = select(models.Project.index_version).where(models.Project.id == bindparam("project_id"))
