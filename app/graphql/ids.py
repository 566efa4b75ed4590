"""Global ids as the GraphQL API accepts and returns them."""

import re
from collections.abc import Sequence

import strawberry

from app import errors, global_ids
from app.global_ids import decode, find

__all__ = ["decode", "encode", "find", "read", "read_all", "read_error_id"]


def encode(kind: str, id: str | int) -> strawberry.ID:
    """The global id of a `kind`'s row."""
    return strawberry.ID(global_ids.encode(kind, id))


def read(kind: str, global_id: str) -> str:
    """The row's id. Raises NotFound if `find` returns None."""
    found = find(kind, global_id)
    if found is None:
        raise errors.NotFound(_words(kind), global_id)
    return found


def read_all(kind: str, global_ids: Sequence[str]) -> list[str]:
    """The rows' ids, each once and in order. Raises NotFound for the first that is not of this kind."""
    return list(dict.fromkeys(read(kind, global_id) for global_id in global_ids))


def read_error_id(error: errors.NotFound) -> strawberry.ID:
    """The global id of what was not found, as the client gave it."""
    if decode(error.id) is not None:
        return strawberry.ID(error.id)
    # A member has the id of their user.
    kinds = {_words(kind): kind for kind in global_ids.ROW_IDS} | {"member": "User"}
    kind = kinds.get(error.kind)
    named = kind is not None and global_ids.ROW_IDS[kind].fullmatch(error.id)
    return encode(kind, error.id) if kind and named else strawberry.ID(error.id)


def _words(kind: str) -> str:
    """`ChatSession` → `chat session`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
