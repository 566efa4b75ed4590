"""Find the project that `footnote ingest` adds documents to."""

from app import errors, global_ids, services
from app.cli.lookup import look_up_project, project_owners
from app.database import models, opening
from app.settings import read_settings


def is_database_there() -> bool:
    """Whether there is a database yet."""
    url = read_settings().database_url
    try:
        opening.require_database(url)
    except errors.StartError:
        return False
    return True


async def find_own_project(footnote: services.Services, name: str) -> models.Project | None:
    """The project with this name or id; None for a new name. Other users' projects are found only by their id.

    Raises Invalid for an unknown id, an ambiguous name, and the name of a project that belongs to others.
    """
    operator = footnote.operator()
    project = await look_up_project(footnote, name)
    if project is None:
        if global_ids.find("Project", name) is not None:
            raise errors.Invalid.at(
                "project", "INVALID", f"There is no project with the id {name} in {operator.database_name}."
            )
        return None
    [owners] = await project_owners(footnote, [project])
    id = global_ids.encode("Project", project.id)
    # Any user can create a project with this name, and would read what is ingested into it. The database says who owns
    # it: whether users sign in also depends on how the server was started, which a command cannot know.
    if name not in (id, project.id) and owners and operator.user.id not in {user.id for user in owners}:
        emails = " and ".join(user.email for user in owners)
        raise errors.Invalid.at(
            "project",
            "INVALID",
            f"The project “{project.name}” belongs to {emails}; to add documents to it, give its id: --project {id}",
        )
    return project
