"""`footnote user`: add, list, disable, export and erase users, and let them sign in."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from app import errors, services
from app.cli.lookup import find_project, find_user
from app.cli.opening import open_footnote
from app.cli.printing import format_day, print_table
from app.cli.running import ExitCode, err, out
from app.cli.server import links
from app.database import models
from app.services import MemberRole

NOTICED_SOON = "A running server notices within two seconds."


async def add_user(
    email: str, name: str | None, password: str | None, projects: Sequence[str], url: str | None
) -> ExitCode:
    """Add a user, as an owner of these projects. Without a password, print a link for them."""
    async with open_footnote() as footnote:
        owned = [await find_project(footnote, project) for project in projects]
        user = await footnote.operator().accounts.users.create(email, name, password)
        for project in owned:
            await footnote.operator().accounts.members.set_member(project.id, user.id, MemberRole.OWNER, actor=None)
        out.print(f"{user.email}: added" + "".join(f", owner of {one.name}" for one in owned))
        if password is None and (missing := _explain_missing_link(footnote, user, url)):
            err.print(missing)
        elif password is None:
            await _print_link(footnote, user, url)
    return ExitCode.OK


async def list_users() -> ExitCode:
    """List all users by email address."""
    async with open_footnote() as footnote:
        rows = [
            (
                user.email,
                user.name or "",
                "disabled" if user.disabled_at else "password" if has_password else "no password",
                format_day(user.created_at),
            )
            for user, has_password in await footnote.operator().accounts.users.list_users()
        ]
    print_table(("email", "name", "state", "since"), rows)
    return ExitCode.OK


async def print_link(email: str, url: str | None) -> ExitCode:
    """Print a link that lets a user sign in once."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        if user.disabled_at is not None:
            raise errors.Conflict(f"{user.email} is disabled; `footnote user enable` lets them in again.")
        if missing := _explain_missing_link(footnote, user, url):
            raise errors.Conflict(missing)
        await _print_link(footnote, user, url)
    return ExitCode.OK


async def set_password(email: str, password: str) -> ExitCode:
    """Set a user's password."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        await footnote.operator().accounts.users.set_password(user.id, password)
    out.print(f"{user.email}: the password is changed, and all sign-ins have ended")
    return ExitCode.OK


async def disable_user(email: str) -> ExitCode:
    """Lock a user out."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        await footnote.operator().accounts.users.disable(user.id)
    out.print(f"{user.email}: disabled. {NOTICED_SOON}")
    return ExitCode.OK


async def enable_user(email: str) -> ExitCode:
    """Let a user in again."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        await footnote.operator().accounts.users.enable(user.id)
    out.print(f"{user.email}: enabled")
    return ExitCode.OK


async def export_user(email: str, file: Path) -> ExitCode:
    """Write everything that is stored about a user to a new file that only its owner can read."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        rows_by_table = await footnote.operator().accounts.personal.export_user(user.id)
    _write_new_file(file, json.dumps(rows_by_table, indent=2, ensure_ascii=False) + "\n")
    rows = sum(len(rows) for rows in rows_by_table.values())
    out.print(f"{file}: {rows:,} rows about {user.email}")
    return ExitCode.OK


def _write_new_file(file: Path, text: str) -> None:
    """Write a file that only its owner can read. Raises Conflict if there is one, or it cannot be written."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise errors.Conflict(f"{file} already exists; an export never replaces a file.") from error
    except OSError as error:
        raise _not_written(file, error) from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as export:
            export.write(text)
    except OSError as error:
        file.unlink(missing_ok=True)  # a partial file would look complete, and block the next export
        raise _not_written(file, error) from error


def _not_written(file: Path, error: OSError) -> errors.Conflict:
    return errors.Conflict(f"{file} cannot be written: {error.strerror}.")


async def erase_user(email: str) -> ExitCode:
    """Delete a user and all their data."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        if user.id == footnote.operator().user.id:
            raise errors.Conflict(
                f"{user.email} belongs to this server and cannot be erased; `footnote user disable` locks them out."
            )
        await footnote.operator().accounts.personal.erase_user(user.id)
    out.print(f"{user.email}: erased, with their chat sessions, memories and tokens")
    return ExitCode.OK


def _explain_missing_link(footnote: services.Services, user: models.User, url: str | None) -> str | None:
    """What to do instead of opening a link; None if this server, or what is at `url`, may open it."""
    return links.explain_missing_link(footnote.settings, user.email) if url is None else None


async def _print_link(footnote: services.Services, user: models.User, url: str | None) -> None:
    base = url or links.server_url(footnote.settings, footnote.settings.port)
    token = await footnote.operator().accounts.setup_tokens.create(user.id)
    out.print(links.setup_link(footnote.settings, base, token))
    err.print(f"This lets {user.email} in once, within 15 minutes. Earlier links no longer work.")
