"""The opaque ids by which every API names the same row."""

import base64


def encode(kind: str, id: str | int) -> str:
    """The global id of a `kind`'s row: `Document`, `Chunk`, …"""
    return base64.urlsafe_b64encode(f"{kind}:{id}".encode()).decode().rstrip("=")
