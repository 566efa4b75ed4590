"""Find the credential of a request or a socket, and whose quota it uses."""

from collections.abc import Mapping
from typing import Any

from app.services import Caller, Services


def credential_in(headers: Mapping[str, str], payload: Mapping[str, Any] | None = None) -> str | None:
    """The credential of the sender. Browsers cannot set headers on a WebSocket; they send it in `connection_init`."""
    for name in ("Authorization", "authorization"):
        value = (payload or {}).get(name)
        if isinstance(value, str):
            return value
    return headers.get("authorization")


def quota_holder(caller: Caller | None, services: Services) -> str | None:
    """The user whose quota applies; None without sign-in, or if the caller is unknown."""
    return None if caller is None else services.as_user(caller.user).quota_holder
