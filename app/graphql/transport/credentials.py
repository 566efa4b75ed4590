"""Who sends a request or opens a socket, by the credential that comes with it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.http import callers
from app.services import Asker, Services

SIGN_IN_FIRST = "Sign in first: this needs the header “Authorization: Bearer” with a token."

Identify = Callable[[Services, str | None], Awaitable[Asker | None]]
"""(services, credential) → who asks; None for who shows nothing and may only sign in. Raises Unauthenticated.

The credential is the value of an Authorization header.
"""


async def doorkeeper(services: Services, credential: str | None) -> Asker | None:
    """Who comes in, as the operator decides for all doors."""
    return await services.doorkeeper.let_in(credential)


def credential_in(headers: Mapping[str, str], payload: Mapping[str, Any] | None = None) -> str | None:
    """What stands for the sender; in the payload of `connection_init` where browsers cannot send headers."""
    for name in ("Authorization", "authorization"):
        value = (payload or {}).get(name)
        if isinstance(value, str):
            return value
    return headers.get("authorization")


def holder(asker: Asker | None, services: Services) -> str | None:
    """Whose share of a quota it is; nobody's where all are the same user, or none is known."""
    return None if asker is None else callers.quota_holder(services.allowed(asker.user))
