"""Opaque global ids of rows, the same in every API."""

import base64
import re
from collections.abc import Mapping

# Ids of rows are 32 hex digits; those of chunks are 63-bit integers.
_HEX = "[0-9a-f]{32}"
ROW_IDS: Mapping[str, re.Pattern[str]] = {
    kind: re.compile("[0-9]{1,18}" if kind == "Chunk" else _HEX)
    for kind in (
        *("Project", "Document", "Chunk", "EmbeddingSpace", "ChatSession", "Message", "Memory", "User"),
        "AccessToken",
    )
}
"""Kind of row → what its ids look like."""


def encode(kind: str, id: str | int) -> str:
    """The global id of a `kind`'s row: `Document`, `Chunk`, …"""
    return base64.urlsafe_b64encode(f"{kind}:{id}".encode()).decode().rstrip("=")


def decode(global_id: str) -> tuple[str, str] | None:
    """The kind and the row's id; None for anything that `encode` cannot have made."""
    try:
        plain = base64.urlsafe_b64decode(global_id + "=" * (-len(global_id) % 4)).decode("ascii")
    except ValueError:
        return None
    kind, _, id = plain.partition(":")
    pattern = ROW_IDS.get(kind)
    return (kind, id) if pattern and pattern.fullmatch(id) and encode(kind, id) == global_id else None


def find(kind: str, global_id: str) -> str | None:
    """The row's id; None if the global id is of another kind or invalid."""
    found = decode(global_id)
    return found[1] if found is not None and found[0] == kind else None
