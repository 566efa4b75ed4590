"""Request or cancel a project's switch to another embedding model."""

from datetime import timedelta
from functools import partial

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from app import errors
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge.index.protocol import Index, SpaceKey
from app.knowledge.spaces import EmbeddingSpaces
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.providers.registry import ModelRegistry
from app.statuses import EmbeddingSpaceState

MAX_NAME_LENGTH = 200
"""The most characters of a model's name."""

# The most spaces of a project, including those whose vectors are still being removed.
_MAX_SPACES = 8
_RETRY_MS = 5_000
# How long the vectors of a cancelled build are kept.
_KEPT = timedelta(days=1)

# Locked, because their vectors may be stored or removed meanwhile.
_LOCK_SPACES = (
    select(models.EmbeddingSpace)
    .where(models.EmbeddingSpace.project_id == bindparam("project"))
    .order_by(models.EmbeddingSpace.number)
    .with_for_update()
)
_HIGHEST_CHUNK = select(func.max(models.Chunk.id)).where(models.Chunk.project_id == bindparam("project"))


class SpaceRequests:
    """Requests to build an embedding space with another model. A project builds at most one at a time."""

    def __init__(
        self, database: Database, index: Index, spaces: EmbeddingSpaces, embedders: ModelRegistry, notifier: Notifier
    ) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._models = embedders
        self._notifier = notifier

    async def request_switch(self, project_id: str, model: str) -> models.EmbeddingSpace:
        """Return the space of this model, which is active, being built, or requested now, reusing vectors that it has.

        Raises NotFound; Invalid for a model that cannot be used; Unavailable if it does not respond; Conflict while
        another model's space is being built.
        """
        local_only = await self._database.run_read(partial(_read_local_only, project_id))
        dimensions = await self._try_model(model, local_only=local_only)
        request = partial(self._request, project_id, model, dimensions)
        space = await self._database.run_write(request, Lock.EMBEDDING_SPACES)
        self._notify(space)  # kill point: switch.requested
        return space

    async def cancel_switch(self, project_id: str) -> models.EmbeddingSpace:
        """Abandon the space that is being built, or whose build failed. Raises Conflict if there is none.

        Its vectors are kept for a day, so that a new request for the same model can continue with them, unless another
        model is requested before.
        """
        space = await self._database.run_write(partial(_cancel, project_id), Lock.EMBEDDING_SPACES)
        self._notify(space)
        return space

    async def _try_model(self, name: str, *, local_only: bool) -> int:
        """Embed a text with the model; returns its number of dimensions. Raises Invalid or Unavailable."""
        problem = self._models.find_problem(name, "EMBEDDING", local_only=local_only)
        if len(name) > MAX_NAME_LENGTH:
            problem = f"A model's name has at most {MAX_NAME_LENGTH} characters."
        if problem is not None:
            raise errors.Invalid.at("model", "INVALID", problem)
        try:
            model = self._spaces.embedding_model(name, local_only)
            return (await model.embed_texts(["Is anybody there?"], "document")).shape[1]
        except errors.AnswerError as error:
            message = f"The model “{name}” cannot be used for embeddings: {error.message}"
            if error.retryable:
                raise errors.Unavailable(message, "embeddings", _RETRY_MS) from error
            raise errors.Invalid.at("model", "INVALID", message) from error

    def _request(self, project_id: str, model: str, dimensions: int, db: Session) -> models.EmbeddingSpace:
        _read_local_only(project_id, db)
        spaces = db.scalars(_LOCK_SPACES, {"project": project_id}).all()
        active = next((space for space in spaces if space.state == EmbeddingSpaceState.ACTIVE), None)
        building = next((space for space in spaces if space.state == EmbeddingSpaceState.BUILDING), None)
        if building is not None and (building.model, building.dimensions) != (model, dimensions):
            message = f"The embedding space of “{building.model}” is being built; wait for it, or cancel it first."
            raise errors.Conflict(message, building)
        wanted = building or active
        if wanted is not None and (wanted.model, wanted.dimensions) == (model, dimensions):
            return wanted
        resumed: models.EmbeddingSpace | None = None
        for space in spaces:
            if space.state == EmbeddingSpaceState.FAILED or is_kept(space):
                space.state = EmbeddingSpaceState.RETIRED
                space.problem = space.owner = space.lease_until = None
            if space.state == EmbeddingSpaceState.RETIRED and (space.model, space.dimensions) == (model, dimensions):
                resumed = space if resumed is None or space.built_to > resumed.built_to else resumed
        if resumed is not None:
            # Vectors are removed from the end, so `built_to` is valid at any time.
            resumed.state, resumed.owner, resumed.lease_until = EmbeddingSpaceState.BUILDING, None, None
            return resumed
        state = EmbeddingSpaceState.ACTIVE if active is None else EmbeddingSpaceState.BUILDING
        return self._add_space(project_id, model, dimensions, state, len(spaces), db)

    def _add_space(
        self, project_id: str, model: str, dimensions: int, state: EmbeddingSpaceState, others: int, db: Session
    ) -> models.EmbeddingSpace:
        if others >= _MAX_SPACES:
            message = "Vectors of former models are still being removed; try again in a moment."
            raise errors.Unavailable(message, "embeddings", _RETRY_MS)
        keys = self._spaces.list_space_keys(db, project_id)
        number = max((key.number + 1 for key in keys), default=0)
        space = models.EmbeddingSpace(
            project_id=project_id, model=model, dimensions=dimensions, number=number, state=state
        )
        db.add(space)
        db.flush()
        self._index.vectors.prepare_space(db, SpaceKey.from_row(space))
        return space

    def _notify(self, space: models.EmbeddingSpace) -> None:
        self._notifier.notify(topics.INGESTION_QUEUE)  # an empty project has another model now
        self._notifier.notify(topics.EMBEDDING_SPACES)
        self._notifier.notify(topics.embedding_space(space.id))


def is_kept(space: models.EmbeddingSpace) -> bool:
    """Whether the vectors of an abandoned space are still kept, in case its model is requested again."""
    return (
        space.state == EmbeddingSpaceState.RETIRED
        and space.owner is None
        and space.lease_until is not None
        and space.lease_until > models.now()
    )


def _read_local_only(project_id: str, db: Session) -> bool:
    project = db.get(models.Project, project_id)
    if project is None:
        raise errors.NotFound("project", project_id)
    return project.local_providers_only


def _cancel(project_id: str, db: Session) -> models.EmbeddingSpace:
    unfinished = (EmbeddingSpaceState.BUILDING, EmbeddingSpaceState.FAILED)
    for space in db.scalars(_LOCK_SPACES, {"project": project_id}):
        if space.state in unfinished:
            space.state, space.owner = EmbeddingSpaceState.RETIRED, None
            space.lease_until = models.now() + _KEPT if space.built_to else None
            db.flush()
            return space
    raise errors.Conflict("No embedding space is being built in this project.")


def retire_active(db: Session, project_id: str) -> None:
    """Retire the active space of a project, in the transaction that activates another."""
    highest = db.connection().execute(_HIGHEST_CHUNK, {"project": project_id}).scalar() or 0
    db.connection().execute(
        update(models.EmbeddingSpace)
        .where(
            models.EmbeddingSpace.project_id == project_id, models.EmbeddingSpace.state == EmbeddingSpaceState.ACTIVE
        )
        .values(state=EmbeddingSpaceState.RETIRED, built_to=highest)
    )
