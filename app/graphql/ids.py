"""A type and a row's id in, one opaque global id out, and back again; an id of another type is an id of nothing."""

import base64
import binascii
import re
from collections.abc import Sequence

import strawberry

from app import errors, global_ids

# Rows are named by 32 hex digits; chunks by a number that fits 63 bits.
_HEX = "[0-9a-f]{32}"
_FORMS = {
    "Project": _HEX,
    "Document": _HEX,
    "Chunk": "[0-9]{1,18}",
    "EmbeddingSpace": _HEX,
    "ChatSession": _HEX,
    "Message": _HEX,
    "Memory": _HEX,
    "User": _HEX,
    "AccessToken": _HEX,
}
_BARE = {name: re.compile(form) for name, form in _FORMS.items()}
_PLAIN = {name: re.compile(f"{name}:({form})") for name, form in _FORMS.items()}


def encode(kind: str, id: str | int) -> strawberry.ID:
    """The global id of a `kind`'s row."""
    return strawberry.ID(global_ids.encode(kind, id))


def decode(global_id: str) -> tuple[str, str] | None:
    """The type and the row's id; None for anything that `encode` has not made."""
    try:
        plain = base64.urlsafe_b64decode(global_id + "=" * (-len(global_id) % 4)).decode("ascii")
    except (ValueError, binascii.Error):
        return None
    kind = plain.partition(":")[0]
    form = _PLAIN.get(kind)
    match = form.fullmatch(plain) if form else None
    return (kind, match[1]) if match and encode(kind, match[1]) == global_id else None


def find(kind: str, global_id: str) -> str | None:
    """The row's id; None when the id is of another type or no id at all: nothing of that kind has it."""
    found = decode(global_id)
    return found[1] if found is not None and found[0] == kind else None


def read(kind: str, global_id: str) -> str:
    """The row's id. Raises NotFound where `find` gives None."""
    found = find(kind, global_id)
    if found is None:
        raise errors.NotFound(_words(kind), global_id)
    return found


def read_all(kind: str, global_ids: Sequence[str]) -> list[str]:
    """The rows' ids, each once and in order. Raises NotFound for the first that is none of this kind."""
    return list(dict.fromkeys(read(kind, global_id) for global_id in global_ids))


def of_error(error: errors.NotFound) -> strawberry.ID:
    """The global id of what was not found, as the client gave it."""
    if decode(error.id) is not None:
        return strawberry.ID(error.id)
    kinds = {_words(kind): kind for kind in _FORMS} | {"member": "User"}  # a member is named by who it is
    kind = kinds.get(error.kind)
    return encode(kind, error.id) if kind and _BARE[kind].fullmatch(error.id) else strawberry.ID(error.id)


def _words(kind: str) -> str:
    """`ChatSession` → `chat session`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind).lower()
