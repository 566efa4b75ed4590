"""Who sends a request or opens a socket, by the credential that comes with it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.services import Asker, Services

Identify = Callable[[Services, str | None], Awaitable[Asker | None]]
"""(services, credential) → who asks; None for who shows nothing and may only sign in. Raises Unauthenticated.

The credential is the value of an Authorization header.
"""


async def authenticate(services: Services, credential: str | None) -> Asker | None:
    """Who sends the request, as every API decides it."""
    return await services.authentication.authenticate(credential)


def credential_in(headers: Mapping[str, str], payload: Mapping[str, Any] | None = None) -> str | None:
    """What stands for the sender; in the payload of `connection_init` where browsers cannot send headers."""
    for name in ("Authorization", "authorization"):
        value = (payload or {}).get(name)
        if isinstance(value, str):
            return value
    return headers.get("authorization")


def holder(asker: Asker | None, services: Services) -> str | None:
    """Whose share of a quota it is; nobody's where all are the same user, or none is known."""
    return None if asker is None else services.as_user(asker.user).quota_holder
