"""Find the project that a request names, in its field `index_name` or in its URL."""

from app.database import models
from app.openai_api import sources
from app.openai_api.refusals import RequestRefused
from app.services import UserAccess


async def find_project(access: UserAccess, name: str) -> models.Project:
    """The project with this name or id. Raises RequestRefused if there is none, or more than one."""
    id = sources.row_id("Project", name)
    project = (await access.projects.by_ids([id]))[0] if id else None
    if project is not None:
        return project
    found = await access.projects.find_projects(name)
    if len(found) > 1:
        # Guessing might answer from the documents of whoever shared a project of this name.
        raise RequestRefused(
            f"{len(found)} projects are named “{name[:100]}”; use the id of the one you mean.",
            parameter="index_name",
            code="index_ambiguous",
        )
    if not found:
        raise RequestRefused(
            f"No project that you have access to has the name or id “{name[:100]}”.",
            parameter="index_name",
            code="index_not_found",
            status=404,
        )
    return found[0]
