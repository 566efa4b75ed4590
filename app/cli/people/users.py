"""`footnote user`: add, list, disable, export and erase users, and let them sign in."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from app import errors, services
from app.cli.lookup import find_project, find_user
from app.cli.opening import open_footnote
from app.cli.printing import day, print_table
from app.cli.running import Exit, err, out
from app.cli.server import links
from app.database import models
from app.services import MemberRole

NOTICED = "A running server notices within two seconds."


async def add_user(
    email: str, name: str | None, password: str | None, projects: Sequence[str], url: str | None
) -> Exit:
    """Add a user, as an owner of these projects; without a password they get a link."""
    async with open_footnote() as footnote:
        owned = [await find_project(footnote, project) for project in projects]
        user = await footnote.operator().accounts.users.create(email, name, password)
        for project in owned:
            await footnote.operator().accounts.members.set(project.id, user.id, MemberRole.OWNER, actor=None)
        out.print(f"{user.email}: added" + "".join(f", owner of {one.name}" for one in owned), markup=False)
        if password is None:
            await _print_link(footnote, user, url)
    return Exit.OK


async def list_users() -> Exit:
    """All users by address."""
    async with open_footnote() as footnote:
        rows = [
            (
                user.email,
                user.name or "",
                "disabled" if user.disabled_at else "password" if has_password else "no password",
                day(user.created_at),
            )
            for user, has_password in await footnote.operator().accounts.users.all()
        ]
    print_table(("address", "name", "state", "since"), rows)
    return Exit.OK


async def print_link(email: str, url: str | None) -> Exit:
    """Print a link that lets a user in once."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        if user.disabled_at is not None:
            raise errors.Conflict(f"{user.email} is disabled; `footnote user enable` lets them in again.")
        await _print_link(footnote, user, url)
    return Exit.OK


async def set_password(email: str, password: str) -> Exit:
    """Give a user this password."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        await footnote.operator().accounts.users.set_password(user.id, password)
    out.print(f"{user.email}: the password is changed, and all sign-ins have ended", markup=False)
    return Exit.OK


async def disable_user(email: str) -> Exit:
    """Keep a user out."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        await footnote.operator().accounts.users.disable(user.id)
    out.print(f"{user.email}: disabled. {NOTICED}", markup=False)
    return Exit.OK


async def enable_user(email: str) -> Exit:
    """Let a user in again."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        await footnote.operator().accounts.users.enable(user.id)
    out.print(f"{user.email}: enabled", markup=False)
    return Exit.OK


async def export_user(email: str, file: Path) -> Exit:
    """Write everything that is stored about a user to a new file that only its owner can read."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        rows_by_table = await footnote.operator().accounts.personal.export(user.id)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise errors.Conflict(f"{file} exists already; an export never replaces a file.") from error
    except OSError as error:
        raise errors.Conflict(f"{file} cannot be written: {error.strerror}.") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as export:
        json.dump(rows_by_table, export, indent=2, ensure_ascii=False)
        export.write("\n")
    rows = sum(len(rows) for rows in rows_by_table.values())
    out.print(f"{file}: {rows:,} rows about {user.email}", markup=False)
    return Exit.OK


async def erase_user(email: str) -> Exit:
    """Delete a user and everything of theirs."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        if user.id == footnote.operator().user.id:
            raise errors.Conflict(
                f"{user.email} belongs to this server and cannot be erased; `footnote user disable` locks them out."
            )
        await footnote.operator().accounts.personal.erase(user.id)
    out.print(f"{user.email}: erased, with chat sessions, memories and tokens", markup=False)
    return Exit.OK


async def _print_link(footnote: services.Services, user: models.User, url: str | None) -> None:
    base = url or links.address(footnote.settings, footnote.settings.port)
    out.print(links.setup_link(base, await footnote.operator().accounts.setup_tokens.create(user.id)), markup=False)
    err.print(f"This lets {user.email} in once, within 15 minutes. Earlier links no longer work.", markup=False)
