"""Identify the sender of a request or the owner of a socket by its credential."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.services import Caller, Services

Identify = Callable[[Services, str | None], Awaitable[Caller | None]]
"""(services, credential) → the caller; None without a credential, which only allows signing in. Raises Unauthenticated.

The credential is the value of an Authorization header.
"""


async def authenticate(services: Services, credential: str | None) -> Caller | None:
    """The caller, determined the same way for every API."""
    return await services.authentication.authenticate(credential)


def credential_in(headers: Mapping[str, str], payload: Mapping[str, Any] | None = None) -> str | None:
    """The credential of the sender. Browsers cannot set headers on a WebSocket; they send it in `connection_init`."""
    for name in ("Authorization", "authorization"):
        value = (payload or {}).get(name)
        if isinstance(value, str):
            return value
    return headers.get("authorization")


def quota_holder(caller: Caller | None, services: Services) -> str | None:
    """Whose quota applies; None without sign-in, or if the caller is unknown."""
    return None if caller is None else services.as_user(caller.user).quota_holder
