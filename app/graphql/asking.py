"""What a request or a socket shows of its sender in; the user who asks out."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from app.database import models
from app.services import Services

Identify = Callable[[Services, str | None], Awaitable[models.User]]
"""(services, credential) → who asks; raises Unauthenticated. The credential is the value of an Authorization header."""


async def owner(services: Services, credential: str | None) -> models.User:
    """The owner, whoever asks: for a server that nobody has to sign in to."""
    return services.owner


def credential_in(headers: Mapping[str, str], payload: Mapping[str, Any] | None = None) -> str | None:
    """What stands for the sender; in the payload of `connection_init` where browsers cannot send headers."""
    for name in ("Authorization", "authorization"):
        value = (payload or {}).get(name)
        if isinstance(value, str):
            return value
    return headers.get("authorization")
