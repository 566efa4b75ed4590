"""Find the project that a request names, in its field `index_name` or in its URL."""

from dataclasses import dataclass

from app.database import models
from app.openai_api import sources
from app.openai_api.refusals import RequestRefused
from app.services import UserAccess


@dataclass(frozen=True, slots=True)
class ProjectName:
    """The name or id of a project, and the base URL that it is a part of; None if the field `index_name` has it."""

    value: str
    base_url: str | None = None

    @property
    def parameter(self) -> str | None:
        """The field that is wrong if there is no such project."""
        return "index_name" if self.base_url is None else None


async def find_project(access: UserAccess, named: ProjectName) -> models.Project:
    """The project with this name or id. Raises RequestRefused if there is none, or more than one."""
    name = named.value
    id = sources.row_id("Project", name)
    project = (await access.projects.by_ids([id]))[0] if id else None
    if project is not None:
        return project
    found = await access.projects.find_projects(name)
    if len(found) > 1:
        # Guessing might answer from the documents of whoever shared a project of this name.
        raise RequestRefused(
            f"{len(found)} projects are named “{name[:100]}”; use the id of the one you mean{_place(named)}.",
            parameter=named.parameter,
            code="index_ambiguous",
        )
    if not found:
        raise RequestRefused(
            f"No project that you have access to has the name or id “{name[:100]}”{_place(named)}.",
            parameter=named.parameter,
            code="index_not_found",
            status=404,
        )
    return found[0]


def _place(named: ProjectName) -> str:
    """Where the project is named, to follow a name or id in a message."""
    return "" if named.base_url is None else f" in the base URL {named.base_url}"
