"""`footnote audit`: show changes to accounts and members."""

from collections.abc import Mapping, Sequence

from app import services
from app.cli.lookup import find_project, find_user
from app.cli.opening import open_footnote
from app.cli.printing import format_minute, print_table
from app.cli.running import ExitCode
from app.database import models


async def audit(email: str | None, project_name: str | None, limit: int) -> ExitCode:
    """Print the newest events, optionally of one user or project."""
    async with open_footnote() as footnote:
        trail = footnote.operator().accounts.audit
        if email is not None:
            events = await trail.events_of_user((await find_user(footnote, email)).id, limit)
        elif project_name is not None:
            events = await trail.events_of_project((await find_project(footnote, project_name)).id, limit)
        else:
            events = await trail.newest_events(limit)
        addresses, projects = await _load_names(footnote, events)
    rows = [
        (
            format_minute(event.created_at),
            event.kind,
            _display_name(addresses, event.actor_id) or ("" if event.kind == "SIGN_IN_FAILED" else "operator"),
            _display_name(addresses, event.subject_id),
            _display_name(projects, event.project_id),
            event.address or "",
            " ".join(f"{key}={value}" for key, value in event.details.items() if value is not None),
        )
        for event in events
    ]
    print_table(("when (UTC)", "what", "by", "about", "project", "from", "details"), rows)
    return ExitCode.OK


async def _load_names(
    footnote: services.Services, events: Sequence[models.AuditEvent]
) -> tuple[dict[str, str], dict[str, str]]:
    """The email addresses of the users in these events, and the names of the projects, by id."""
    people = sorted({id for event in events for id in (event.actor_id, event.subject_id) if id})
    project_ids = sorted({event.project_id for event in events if event.project_id})
    addresses = {user.id: user.email for user in await footnote.operator().accounts.users.by_ids(people) if user}
    found = await footnote.operator().projects.by_ids(project_ids)
    return addresses, {project.id: project.name for project in found if project}


def _display_name(names: Mapping[str, str], id: str | None) -> str:
    return "" if id is None else names.get(id, f"(deleted: {id[-8:]})")
