"""Who sent a request: their address, and the holder of their share of a quota."""

from collections.abc import Mapping
from typing import Any

from app.services import Allowed


def quota_holder(allowed: Allowed) -> str | None:
    """The user's id; None where nobody has to sign in, because everybody is then the same user."""
    return None if allowed.roles.everything else allowed.user.id


def address(scope: Mapping[str, Any]) -> str | None:
    """The peer, or whom a proxy of `TRUSTED_PROXIES` forwards for."""
    client = scope.get("client")
    return client[0] if client else None
