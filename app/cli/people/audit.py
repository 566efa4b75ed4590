"""`footnote audit`: show what was done to accounts and members."""

from collections.abc import Mapping, Sequence

from app import services
from app.cli.lookup import find_project, find_user
from app.cli.opening import open_footnote
from app.cli.printing import minute, print_table
from app.cli.running import Exit
from app.database import models


async def audit(email: str | None, project_name: str | None, most: int) -> Exit:
    """The newest events, of a user or a project if one is named."""
    async with open_footnote() as footnote:
        trail = footnote.operator().accounts.audit
        if email is not None:
            events = await trail.of_user((await find_user(footnote, email)).id, most)
        elif project_name is not None:
            events = await trail.of_project((await find_project(footnote, project_name)).id, most)
        else:
            events = await trail.newest(most)
        addresses, projects = await _names(footnote, events)
    rows = [
        (
            minute(event.created_at),
            event.kind,
            _name(addresses, event.actor_id) or ("" if event.kind == "SIGN_IN_FAILED" else "operator"),
            _name(addresses, event.subject_id),
            _name(projects, event.project_id),
            event.address or "",
            " ".join(f"{key}={value}" for key, value in event.details.items() if value is not None),
        )
        for event in events
    ]
    print_table(("when (UTC)", "what", "by", "about", "project", "from", "details"), rows)
    return Exit.OK


async def _names(
    footnote: services.Services, events: Sequence[models.AuditEvent]
) -> tuple[dict[str, str], dict[str, str]]:
    """The addresses of the users in these events, and the names of the projects, by id."""
    people = sorted({id for event in events for id in (event.actor_id, event.subject_id) if id})
    project_ids = sorted({event.project_id for event in events if event.project_id})
    addresses = {user.id: user.email for user in await footnote.operator().accounts.users.by_ids(people) if user}
    found = await footnote.operator().projects.by_ids(project_ids)
    return addresses, {project.id: project.name for project in found if project}


def _name(names: Mapping[str, str], id: str | None) -> str:
    return "" if id is None else names.get(id, f"(deleted: {id[-8:]})")
