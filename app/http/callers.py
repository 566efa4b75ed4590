"""The IP address of a request's sender."""

from collections.abc import Mapping
from typing import Any


def client_address(scope: Mapping[str, Any]) -> str | None:
    """The peer's address, or the client's if the peer is a trusted proxy."""
    client = scope.get("client")
    return client[0] if client else None
