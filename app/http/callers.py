"""The address of a request's sender."""

from collections.abc import Mapping
from typing import Any


def address(scope: Mapping[str, Any]) -> str | None:
    """The peer, or whom a proxy of `TRUSTED_PROXIES` forwards for."""
    client = scope.get("client")
    return client[0] if client else None
