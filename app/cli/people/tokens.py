"""`footnote token`: create, list and revoke access tokens for programs."""

import re
from datetime import datetime, timedelta

from app import errors, safe_text
from app.cli.lookup import find_user
from app.cli.opening import open_footnote
from app.cli.people.users import NOTICED_SOON
from app.cli.printing import format_day, format_minute, print_table
from app.cli.running import ExitCode, err, out
from app.database import models

_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


async def create_token(email: str, label: str, expires: str | None) -> ExitCode:
    """Print a new token. Nothing else goes to standard output, so that scripts can capture it."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        until = None if expires is None else _find_end(expires)
        token, row = await footnote.operator().accounts.access_tokens.create(user.id, label, until, by_operator=True)
    out.print(token)
    ends = "does not expire" if row.expires_at is None else f"expires on {format_day(row.expires_at)}"
    err.print(f"{row.id}: {ends}. The token is not shown again.")
    return ExitCode.OK


async def list_tokens(email: str) -> ExitCode:
    """List a user's tokens, newest first."""
    async with open_footnote() as footnote:
        user = await find_user(footnote, email)
        rows = [
            (
                row.id,
                row.label,
                format_day(row.created_at),
                format_day(row.expires_at) if row.expires_at else "never",
                format_minute(row.last_used_at) if row.last_used_at else "never",
            )
            for row in await footnote.operator().accounts.access_tokens.tokens_of_user(user.id)
        ]
    print_table(("id", "label", "created", "expires", "last used"), rows)
    return ExitCode.OK


async def revoke_token(token_id: str) -> ExitCode:
    """Revoke a token, whoever it belongs to."""
    async with open_footnote() as footnote:
        try:
            row = await footnote.operator().accounts.access_tokens.revoke(token_id, None)
        except errors.NotFound as error:
            hint = "`footnote token list EMAIL` shows a user's."
            message = f"There is no active token with the id {safe_text.quote(token_id)}; {hint}"
            raise errors.Invalid.at("token", "INVALID", message) from error
    out.print(f"{row.label}: revoked. {NOTICED_SOON}")
    return ExitCode.OK


def _find_end(lifetime: str) -> datetime:
    """When a token with this lifetime expires. Raises Invalid."""
    try:
        return models.now() + parse_lifetime(lifetime)
    except OverflowError:
        shown = safe_text.quote(lifetime)
        message = f"{shown} is too long: a token expires before the year 10000, or never without --expires."
        raise errors.Invalid.at("expires", "OUT_OF_RANGE", message) from None


def parse_lifetime(text: str) -> timedelta:
    """Parse `90m`, `12h`, `30d` or `8w`. Raises Invalid for anything else."""
    found = re.fullmatch(r"([1-9][0-9]{0,5})([mhdw])", text.strip())
    if found is None:
        raise errors.Invalid.at(
            "expires",
            "INVALID",
            f"{safe_text.quote(text)} is not a valid lifetime; give a number and a unit, such as 12h, 30d or 8w.",
        )
    return timedelta(seconds=int(found[1]) * _UNITS[found[2]])
