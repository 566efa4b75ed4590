"""The shape of a JWT, and the claims of a valid one."""

import re
from dataclasses import dataclass

MAX_TOKEN = 16_384
"""The characters of the longest token that is read."""

_SHAPE = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a valid token. `email` is set only if the provider has verified it."""

    issuer: str
    subject: str
    email: str | None
    name: str | None
    expires_at: float


def is_jwt(credential: str) -> bool:
    """Whether this has the shape of a JWT."""
    return len(credential) <= MAX_TOKEN and _SHAPE.fullmatch(credential) is not None
