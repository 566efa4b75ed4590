"""`footnote user`, `token`, `member`, `audit`: who is meant in; what was done to them, in a line or a table, out."""

import json
import os
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from app import errors, services
from app.cli.opening import opened, project_named
from app.cli.running import Exit, complain, err, out
from app.cli.server import links
from app.database import models
from app.services import MemberRole

_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SOON = "A server that is running knows within two seconds."

Work = Callable[[services.Services, models.User], Awaitable[None]]


async def add(email: str, name: str | None, password: str | None, projects: Sequence[str], url: str | None) -> Exit:
    """A new user; without a password they get a link."""
    async with opened() as running:
        owned = [await project_named(running, project) for project in projects]
        user = await running.accounts.users.create(email, name, password)
        for project in owned:
            await running.accounts.members.set(project.id, user.id, MemberRole.OWNER, actor=None)
        out.print(f"{user.email}: added" + "".join(f", owner of {one.name}" for one in owned), markup=False)
        if password is None:
            await _print_link(running, user, url)
    return Exit.OK


async def list_users() -> Exit:
    """Everybody by address."""
    async with opened() as running:
        rows = [
            (
                user.email,
                user.name or "",
                "disabled" if user.disabled_at else "password" if has_password else "no password",
                _day(user.created_at),
            )
            for user, has_password in await running.accounts.users.all()
        ]
    _print_table(("address", "name", "state", "since"), rows)
    return Exit.OK


async def with_user(email: str, work: Work) -> Exit:
    """Do something with the user of this address."""
    async with opened() as running:
        await work(running, await _user_named(running, email))
    return Exit.OK


async def disable(running: services.Services, user: models.User) -> None:
    """Let them in no more."""
    await running.accounts.users.disable(user.id)
    out.print(f"{user.email}: disabled. {_SOON}", markup=False)


async def enable(running: services.Services, user: models.User) -> None:
    """Let them in again."""
    await running.accounts.users.enable(user.id)
    out.print(f"{user.email}: enabled", markup=False)


async def erase(running: services.Services, user: models.User) -> None:
    """Remove them and what is theirs."""
    if user.id == running.owner.id:
        raise errors.Conflict(f"{user.email} belongs to this server; `footnote user disable` keeps them out.")
    await running.accounts.personal.erase(user.id)
    out.print(f"{user.email}: erased, with chat sessions, memories and tokens", markup=False)


def set_password(password: str) -> Work:
    """Give them this password."""

    async def work(running: services.Services, user: models.User) -> None:
        await running.accounts.users.set_password(user.id, password)
        out.print(f"{user.email}: the password is changed, and all sign-ins have ended", markup=False)

    return work


def link(url: str | None) -> Work:
    """Print a link that lets them in once."""

    async def work(running: services.Services, user: models.User) -> None:
        if user.disabled_at is not None:
            raise errors.Conflict(f"{user.email} is disabled; `footnote user enable` lets them in again.")
        await _print_link(running, user, url)

    return work


def export(file: Path) -> Work:
    """Write all that is kept about them into a new file that only its owner reads."""

    async def work(running: services.Services, user: models.User) -> None:
        found = await running.accounts.personal.export(user.id)
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise errors.Conflict(f"{file} exists already; an export never replaces a file.") from error
        except OSError as error:
            raise errors.Conflict(f"{file} cannot be written: {error.strerror}.") from error
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened_file:
            json.dump(found, opened_file, indent=2, ensure_ascii=False)
            opened_file.write("\n")
        rows = sum(len(rows) for rows in found.values())
        out.print(f"{file}: {rows:,} rows about {user.email}", markup=False)

    return work


def create_token(label: str, expires: str | None) -> Work:
    """The token alone goes to standard output, so that a script can take it."""

    async def work(running: services.Services, user: models.User) -> None:
        until = None if expires is None else models.now() + lifetime(expires)
        token, row = await running.accounts.access_tokens.create(user.id, label, until, by_operator=True)
        out.print(token, markup=False)
        ends = "does not expire" if row.expires_at is None else f"expires on {_day(row.expires_at)}"
        err.print(f"{row.id}: {ends}. The token is shown this once.", markup=False)

    return work


async def list_tokens(running: services.Services, user: models.User) -> None:
    """Their tokens, the newest first."""
    rows = [
        (
            row.id,
            row.label,
            _day(row.created_at),
            _day(row.expires_at) if row.expires_at else "never",
            _minute(row.last_used_at) if row.last_used_at else "never",
        )
        for row in await running.accounts.access_tokens.of(user.id)
    ]
    _print_table(("id", "label", "made", "expires", "last used"), rows)


async def revoke_token(token_id: str) -> Exit:
    """End anybody's token."""
    async with opened() as running:
        try:
            row = await running.accounts.access_tokens.revoke(token_id, None)
        except errors.NotFound as error:
            raise errors.Conflict(
                f"There is no token with the id {token_id!r} that still lets anybody in; `footnote token list EMAIL` "
                "shows those of a user."
            ) from error
    out.print(f"{row.label}: revoked. {_SOON}", markup=False)
    return Exit.OK


async def set_member(name: str, email: str, role: str) -> Exit:
    """Make a user a member of a project."""
    chosen = {known.value: known for known in MemberRole}.get(role.upper())
    if chosen is None:
        complain(f"{role!r} is no role; there are OWNER, EDITOR and VIEWER.")
        return Exit.USAGE
    async with opened() as running:
        project, user = await project_named(running, name), await _user_named(running, email)
        await running.accounts.members.set(project.id, user.id, chosen, actor=None)
    out.print(f"{project.name}: {user.email} is {chosen}", markup=False)
    return Exit.OK


async def remove_member(name: str, email: str) -> Exit:
    """Take a user out of a project."""
    async with opened() as running:
        project, user = await project_named(running, name), await _user_named(running, email)
        try:
            await running.accounts.members.remove(project.id, user.id, actor=None)
        except errors.NotFound as error:
            raise errors.Conflict(f"{user.email} is no member of {project.name}.") from error
    out.print(f"{project.name}: {user.email} is no member any more", markup=False)
    return Exit.OK


async def list_members(name: str) -> Exit:
    """The members of a project, owners first."""
    async with opened() as running:
        project = await project_named(running, name)
        [found] = await running.accounts.members.of([project.id])
    _print_table(("address", "role"), [(member.user.email, member.role.value) for member in found])
    return Exit.OK


async def audit(email: str | None, name: str | None, most: int) -> Exit:
    """What was done to accounts and members, newest first."""
    async with opened() as running:
        trail = running.accounts.audit
        if email is not None:
            events = await trail.of_user((await _user_named(running, email)).id, most)
        elif name is not None:
            events = await trail.of_project((await project_named(running, name)).id, most)
        else:
            events = await trail.newest(most)
        people = {id for event in events for id in (event.actor_id, event.subject_id) if id}
        users = {user.id: user.email for user in await running.accounts.users.by_ids(sorted(people)) if user}
        touched = sorted({event.project_id for event in events if event.project_id})
        projects = {project.id: project.name for project in await running.projects.projects_by_ids(touched) if project}

    def named(known: dict[str, str], id: str | None, otherwise: str) -> str:
        return otherwise if id is None else known.get(id, f"(gone: {id[-8:]})")

    rows = [
        (
            _minute(event.created_at),
            event.kind,
            named(users, event.actor_id, "operator" if event.kind != "SIGN_IN_FAILED" else ""),
            named(users, event.subject_id, ""),
            named(projects, event.project_id, ""),
            event.address or "",
            " ".join(f"{key}={value}" for key, value in event.details.items() if value is not None),
        )
        for event in events
    ]
    _print_table(("when (UTC)", "what", "by", "about", "project", "from", "details"), rows)
    return Exit.OK


def lifetime(text: str) -> timedelta:
    """`90m`, `12h`, `30d`, `8w` as a time. Raises Invalid for anything else."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([mhdw])", text.strip())
    if found is None:
        raise errors.Invalid.one("expires", "INVALID", f"{text!r} is no lifetime; one is like 12h, 30d or 8w.")
    return timedelta(seconds=int(found[1]) * _UNITS[found[2]])


async def _user_named(running: services.Services, email: str) -> models.User:
    user = await running.accounts.users.by_email(email)
    if user is None:
        raise errors.Invalid.one("email", "INVALID", f"There is no user {email!r}; `footnote user list` shows them.")
    return user


async def _print_link(running: services.Services, user: models.User, url: str | None) -> None:
    base = url or links.address(running.settings, running.settings.port)
    out.print(links.setup_link(base, await running.accounts.setup_tokens.create(user.id)), markup=False)
    err.print(f"This lets {user.email} in once, within 15 minutes. Any link before it is void.", markup=False)


def _print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as what is in them; one that is empty everywhere is left out."""
    shown = [column for column in range(len(heads)) if not rows or any(row[column] for row in rows)]
    wide = {column: max(len(row[column]) for row in [heads, *rows]) for column in shown}
    for row in [heads, *rows]:
        out.print("  ".join(row[column].ljust(wide[column]) for column in shown).rstrip(), markup=False)


def _day(when: datetime) -> str:
    return f"{when:%Y-%m-%d}"


def _minute(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M}"
