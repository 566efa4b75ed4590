"""Turn inputs into the plain values that services take."""

import dataclasses
from collections.abc import Collection
from enum import Enum
from typing import Any, cast

import strawberry

from app import errors
from app.graphql import ids

# Beyond this, neither databases nor JavaScript can tell whole numbers apart.
_LARGEST = 2**53


def require_json_object(name: str, value: object) -> dict[str, Any]:
    """The value, if it is a JSON object. Raises Invalid for other JSON, and for numbers too large for a database."""
    if not isinstance(value, dict):
        raise errors.Invalid.at(name, "INVALID", f"`{name}` must be a JSON object.")
    found = cast("dict[str, Any]", value)
    inside: list[Any] = [found]
    while inside:
        item = inside.pop()
        if isinstance(item, dict):
            inside += cast("dict[str, Any]", item).values()
        elif isinstance(item, list):
            inside += cast("list[Any]", item)
        elif isinstance(item, int | float) and not -_LARGEST <= item <= _LARGEST:
            raise errors.Invalid.at(name, "OUT_OF_RANGE", f"Numbers in `{name}` must be at most {_LARGEST:,}.")
    return found


def provided_values(input: object, *, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields that the client provided, by name, with enums as names and global ids of documents as row ids."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(input):  # pyright: ignore[reportArgumentType]
        value = getattr(input, field.name)
        if field.name in without or value is strawberry.UNSET:
            continue
        if field.name == "document_ids" and value is not None:
            value = ids.read_all("Document", value)
        found[field.name] = value.name if isinstance(value, Enum) else value
    return found
