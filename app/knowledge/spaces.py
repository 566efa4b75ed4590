"""Embedding spaces: the model with whose vectors each project is searched."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Row, Select, and_, bindparam, exists, func, or_, select, true
from sqlalchemy.orm import Session, aliased

from app import errors
from app.answer_options.document_filter import DocumentFilter
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.knowledge import relevance
from app.knowledge.index.protocol import Index, SpaceKey
from app.knowledge.relevance import Relevance
from app.knowledge.search import filters
from app.providers.base import EmbeddingModel, Purpose, Vectors
from app.providers.forwarding import ForwardingEmbeddingModel
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
# Locks the project, so that nobody deletes it before its space is written.
_LOCK_ACTIVE = _SELECT_ACTIVE.with_for_update(read=True, key_share=True, of=models.Project)
_SELECT_ACTIVE_IDS = select(models.EmbeddingSpace.project_id, models.EmbeddingSpace.id).where(
    models.EmbeddingSpace.project_id.in_(bindparam("projects", expanding=True)),
    models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE,
)
_SELECT_KEYS = (
    select(models.EmbeddingSpace.id, models.EmbeddingSpace.number, models.EmbeddingSpace.dimensions)
    .where(models.EmbeddingSpace.project_id == bindparam("project"))
    .order_by(models.EmbeddingSpace.id)
)
_HAS_VECTOR = or_(
    models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE, models.Chunk.id <= models.EmbeddingSpace.built_to
)
_COUNT_CHUNKS = (
    select(models.EmbeddingSpace.id, func.count().filter(_HAS_VECTOR), func.count())
    .join(models.Chunk, models.Chunk.project_id == models.EmbeddingSpace.project_id)
    .where(models.EmbeddingSpace.id.in_(bindparam("spaces", expanding=True)))
    .group_by(models.EmbeddingSpace.id)
)


_WANTED = aliased(models.EmbeddingSpace)
_ON_OTHER_MODELS = (
    select(models.Project.name, models.EmbeddingSpace.model)
    .join(models.EmbeddingSpace, _ACTIVE)
    .where(
        models.EmbeddingSpace.model != bindparam("model"),
        ~exists().where(
            _WANTED.project_id == models.Project.id,
            _WANTED.model == bindparam("model"),
            _WANTED.state == EmbeddingSpaceState.BUILDING,
        ),
    )
    .order_by(models.Project.name, models.Project.id)
)
_COUNT_ON_OTHER_MODELS = select(func.count()).select_from(_ON_OTHER_MODELS.order_by(None).subquery())


@dataclass(frozen=True, slots=True)
class SearchTarget:
    """A project's state for a search: its space, if any, how to read scores, and how many documents are not ready yet.

    `model` is the space's embedding model. `index_version` grows with every change to the project's chunks.
    `has_documents`: whether any document matches the search's filter.
    """

    space: SpaceKey | None
    model: str | None
    relevance: Relevance
    local_only: bool
    pending_documents: int
    index_version: int
    has_documents: bool = True


class _ModelOfSpace(ForwardingEmbeddingModel):
    """The model of a space, as long as its vectors have the space's dimensions: its server may have replaced it."""

    def __init__(self, model: EmbeddingModel, dimensions: int) -> None:
        super().__init__(model)
        self._dimensions = dimensions

    async def embed_texts(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """The model's vectors. Raises ModelRefused if they could not be compared with those of the space."""
        vectors = await self._model.embed_texts(texts, purpose)
        if vectors.shape[1] != self._dimensions:
            found, wanted = vectors.shape[1], self._dimensions
            message = (
                f"It now returns vectors with {found} dimensions instead of {wanted}; switch the project to it again."
            )
            raise errors.ModelRefused(message)
        return vectors


class EmbeddingSpaces:
    """The embedding spaces of projects. Each has one model: vectors of different models are never compared."""

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
        return await self._database.run_read(lambda db: rows_by_ids(db, models.EmbeddingSpace, ids))

    async def spaces_by_project(self, project_ids: Sequence[str]) -> list[list[models.EmbeddingSpace]]:
        """The spaces of each project, oldest first."""
        found: defaultdict[str, list[models.EmbeddingSpace]] = defaultdict(list)
        statement = select(models.EmbeddingSpace).where(models.EmbeddingSpace.project_id.in_(project_ids))
        async with self._database.read() as db:
            for space in await db.scalars(statement.order_by(models.EmbeddingSpace.id)):
                found[space.project_id].append(space)
        return [found[project_id] for project_id in project_ids]

    async def projects_on_other_models(self, limit: int) -> tuple[list[tuple[str, str]], int]:
        """Projects that are searched with another model than the default one, and are not switched to it now.

        The first ones' names and models, in alphabetical order, and how many there are.
        """

        def read(db: Session) -> tuple[list[tuple[str, str]], int]:
            values = {"model": self._default_model}
            rows = db.execute(_ON_OTHER_MODELS.limit(limit), values).all()
            return [(row.name, row.model) for row in rows], db.execute(_COUNT_ON_OTHER_MODELS, values).scalar_one()

        return await self._database.run_read(read)

    def embedding_model(self, name: str, local_only: bool, dimensions: int | None = None) -> EmbeddingModel:
        """The embedding model of this name. Raises ModelRefused if it is not local and `local_only` is set.

        `dimensions` are those of the space that the vectors are for; the model raises ModelRefused for others.
        """
        model = self._models.embedding_model(name, local_only=local_only)
        return model if dimensions is None else _ModelOfSpace(model, dimensions)

    async def find_model(self, space: models.EmbeddingSpace) -> EmbeddingModel:
        """The model of a space. Raises ModelRefused if its project now allows only local models."""
        which = select(models.Project.local_providers_only).where(models.Project.id == space.project_id)
        local_only = await self._database.run_read(lambda db: db.scalar(which)) or False
        return self.embedding_model(space.model, local_only, space.dimensions)

    async def count_chunks(self, space_ids: Sequence[str]) -> list[tuple[int, int]]:
        """For each space, how many chunks of its project have a vector in it, and how many chunks there are."""
        found = await self._database.run_read(
            lambda db: {row[0]: (row[1], row[2]) for row in db.execute(_COUNT_CHUNKS, {"spaces": space_ids})}
        )
        return [found.get(id, (0, 0)) for id in space_ids]

    async def ensure_space(self, project_id: str) -> tuple[models.EmbeddingSpace, EmbeddingModel]:
        """The active space and its model; creates the space with the default model if the project has none.

        The model is asked for its dimensions outside any transaction. Raises an AnswerError if that fails, and NotFound
        if there is no such project, perhaps because it was deleted meanwhile.
        """
        local_only, space = await self._database.run_read(partial(_find_space, project_id))
        if space is None:
            dimensions = await self.embedding_model(self._default_model, local_only).dimensions()
            create = partial(self._create_space, project_id, dimensions)
            # Another request, or a process with other settings, may have been faster.
            space = await self._database.run_write(create, Lock.EMBEDDING_SPACES)
        return space, self.embedding_model(space.model, local_only, space.dimensions)

    def _create_space(self, project_id: str, dimensions: int, db: Session) -> models.EmbeddingSpace:
        """The project's first space, unless it was created meanwhile."""
        _, space = _find_space(project_id, db, _LOCK_ACTIVE)
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
            self._index.vectors.prepare_space(db, SpaceKey.from_row(space))
        return space  # kill point: space.committing


def _find_space(
    project_id: str, db: Session, statement: Select[bool, models.EmbeddingSpace] = _SELECT_ACTIVE
) -> tuple[bool, models.EmbeddingSpace | None]:
    """Whether a project uses only local models, and its active space, if any. Raises NotFound."""
    row = db.execute(statement, {"project": project_id}).one_or_none()
    if row is None:
        raise errors.NotFound("project", project_id)
    local_only, space = row
    return local_only, space


def read_search_target(db: Session, project_id: str, documents: DocumentFilter | None) -> SearchTarget:
    """Read the search target of a project, or of some of its documents, in one statement."""
    statement = _TARGET if documents is None else _select_target(documents)
    row = db.connection().execute(statement, {"project_id": project_id}).one_or_none()
    if row is None:
        return SearchTarget(None, None, relevance.DEFAULT, False, 0, 0)
    return SearchTarget(
        None if row.id is None else SpaceKey(row.id, row.number, row.dimensions),
        row.model,
        relevance_from_row(row),
        row.local_providers_only,
        row.pending,
        row.index_version,
        row.has_documents,
    )


def read_active_spaces(project_ids: Iterable[str], db: Session) -> dict[str, str]:
    """The id of the embedding space that each project is searched with."""
    rows = db.connection().execute(_SELECT_ACTIVE_IDS, {"projects": list(project_ids)}).all()
    return {row.project_id: row.id for row in rows}


def relevance_from_row(space: models.EmbeddingSpace | Row[Any] | None) -> Relevance:
    """The relevance measured for a space, or the default."""
    if space is None or space.dense_weight is None or space.threshold is None:
        return relevance.DEFAULT
    return Relevance(space.dense_weight, space.threshold)


def is_searched(db: Session, space: SpaceKey) -> bool:
    """Whether the project is still searched with this space."""
    state = db.connection().execute(_STATE, {"space": space.id}).scalar()
    return state == EmbeddingSpaceState.ACTIVE


def read_index_version(db: Session, project_id: str) -> int:
    """The project's index version; 0 if there is no such project."""
    return db.connection().execute(_INDEX_VERSION, {"project_id": project_id}).scalar() or 0


def _select_target(documents: DocumentFilter | None = None) -> Select[*tuple[Any, ...]]:
    """The statement for a search target; the space's columns are null if the project has none yet."""
    space, project, document = models.EmbeddingSpace, models.Project, models.Document
    chosen = () if documents is None else tuple(filters.document_conditions(documents))
    of_project = select(document.id).where(document.project_id == project.id, *chosen)
    pending = of_project.where(document.status.in_(_PENDING)).with_only_columns(func.count()).scalar_subquery()
    has_documents = true() if documents is None else of_project.exists()
    columns = (space.id, space.number, space.dimensions, space.model, space.dense_weight, space.threshold)
    return (
        select(
            *columns,
            project.local_providers_only,
            project.index_version,
            pending.label("pending"),
            has_documents.label("has_documents"),
        )
        .select_from(project)
        .outerjoin(space, _ACTIVE)
        .where(project.id == bindparam("project_id"))
    )


# Built once: building a statement takes longer than running it.
_TARGET = _select_target()
_INDEX_VERSION = select(models.Project.index_version).where(models.Project.id == bindparam("project_id"))
_STATE = select(models.EmbeddingSpace.state).where(models.EmbeddingSpace.id == bindparam("space"))
