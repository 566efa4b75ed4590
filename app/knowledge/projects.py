"""Projects: names in, rows out; deleting one removes every trace of it."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app import errors
from app.database import models, pages
from app.database.engine import Database
from app.knowledge import library
from app.knowledge.index import Index
from app.knowledge.spaces import Spaces
from app.signals import Signal

MAX_NAME = 200
MAX_TEXT = 2000


class Projects:
    """The tenants of this server."""

    def __init__(self, database: Database, index: Index, spaces: Spaces, signal: Signal) -> None:
        self._database = database
        self._index = index
        self._spaces = spaces
        self._signal = signal

    async def create(
        self, name: str, description: str | None = None, local_providers_only: bool = False
    ) -> models.Project:
        """A new project. Raises Invalid, or Conflict when the name is taken."""
        project = models.Project(
            name=_name(name), description=_text("description", description), local_providers_only=local_providers_only
        )
        try:
            async with self._database.begin() as db:
                db.add(project)
        except IntegrityError as error:
            raise await self._taken(project.name) from error
        return project

    async def update(self, project_id: str, changes: dict[str, Any]) -> models.Project:
        """Change what `changes` names; None resets to the default. Raises NotFound, Invalid or Conflict."""
        if "name" in changes:
            changes["name"] = _name(str(changes["name"] or ""))
        for field in ("description", "no_sources_text", "rejected_text"):
            if field in changes:
                changes[field] = _text(field, changes[field])
        if changes.get("local_providers_only", True) is None:
            changes["local_providers_only"] = False
        try:
            async with self._database.begin() as db:
                project = await db.get(models.Project, project_id)
                if project is None:
                    raise errors.NotFound("project", project_id)
                for field, value in changes.items():
                    setattr(project, field, value)
        except IntegrityError as error:
            raise await self._taken(str(changes["name"])) from error
        return project

    async def delete(self, project_id: str) -> None:
        """Remove the project with its documents, chunks, full text, vectors, sessions and answers. Raises NotFound."""
        async with self._database.begin() as db:
            project = await db.get(models.Project, project_id)
            if project is None:
                raise errors.NotFound("project", project_id)
            chunk_ids = await db.scalars(select(models.Chunk.id).where(models.Chunk.project_id == project_id))
            await self._index.remove(db, await self._spaces.all(db, project_id), chunk_ids.all())
            await db.delete(project)
        self._signal.ring(library.topic(project_id))

    async def by_ids(self, ids: list[str]) -> list[models.Project | None]:
        """The projects with these ids, in order; None where there is none."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.Project).where(models.Project.id.in_(ids)))
            found = {row.id: row for row in rows}
        return [found.get(id) for id in ids]

    async def by_name(self, name: str) -> models.Project | None:
        """The project of this name."""
        async with self._database.read() as db:
            return await db.scalar(select(models.Project).where(models.Project.name == name.strip()))

    async def names(self) -> list[str]:
        """The names of all projects, in order of the alphabet, at most a hundred."""
        async with self._database.read() as db:
            return list(await db.scalars(select(models.Project.name).order_by(models.Project.name).limit(100)))

    async def page(self, window: pages.Window) -> pages.Page[models.Project]:
        """Projects by age."""
        async with self._database.read() as db:
            return await pages.fetch(db, select(models.Project), [models.Project.id], window)

    async def count(self) -> int:
        """How many projects there are."""
        async with self._database.read() as db:
            return await pages.count(db, select(models.Project.id))

    async def _taken(self, name: str) -> errors.Conflict:
        return errors.Conflict(f"There is a project named “{name}” already.", await self.by_name(name))


def _name(name: str) -> str:
    name = name.strip()
    if not name:
        raise errors.Invalid.one("name", "REQUIRED", "A project needs a name.")
    if len(name) > MAX_NAME:
        raise errors.Invalid.one("name", "TOO_LONG", f"A project's name has at most {MAX_NAME} characters.")
    return name


def _text(field: str, value: str | None) -> str | None:
    if value is not None and len(value) > MAX_TEXT:
        raise errors.Invalid.one(field, "TOO_LONG", f"At most {MAX_TEXT} characters are allowed here.")
    return value
