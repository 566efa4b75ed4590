"""Turn inputs into the plain values that services take."""

import dataclasses
from collections.abc import Collection, Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

import strawberry
from strawberry.types.arguments import InputContext
from strawberry.types.base import get_object_definition
from strawberry.utils.str_converters import to_camel_case

from app import errors
from app.answer_options.document_filter import MAX_NUMBER
from app.graphql import ids

T = TypeVar("T")


def read_directly(kind: type[T]) -> type[T]:
    """Create an input directly from the values that were sent, if its fields are only texts, ids and JSON.

    These have the right types already. Strawberry would check every field of every value again, which takes five times
    as long.
    """
    definition = get_object_definition(kind, strict=True)
    names = {_graphql_name(field.python_name): field.python_name for field in definition.fields}

    def from_input(kind: type, value: Mapping[str, Any], context: InputContext) -> Any:
        return kind(**{names[name]: each for name, each in value.items()})

    definition.from_input = from_input
    return kind


def by_graphql_name(input: object) -> dict[str, Any]:
    """The values of an input, by the names that clients know."""
    return {_graphql_name(name): value for name, value in vars(input).items()}


@cache
def _graphql_name(name: str) -> str:
    return to_camel_case(name)


def require_metadata(value: object) -> dict[str, Any]:
    """The value, if it is a JSON object. Raises Invalid for other JSON, and for numbers too large for a database."""
    if not isinstance(value, dict):
        raise errors.Invalid.at("metadata", "INVALID", "`metadata` must be a JSON object.")
    found = cast("dict[str, Any]", value)
    inside: list[Any] = [found]
    while inside:
        item = inside.pop()
        if isinstance(item, dict):
            inside += cast("dict[str, Any]", item).values()
        elif isinstance(item, list):
            inside += cast("list[Any]", item)
        elif isinstance(item, int | float) and not -MAX_NUMBER <= item <= MAX_NUMBER:
            message = f"Numbers in `metadata` must be at most {MAX_NUMBER:,}."
            raise errors.Invalid.at("metadata", "OUT_OF_RANGE", message)
    return found


def provided_values(input: object, *, without: Collection[str] = ()) -> dict[str, Any]:
    """The fields that the client provided, by name, with enums as names and global ids of documents as row ids.

    Of nested inputs, only values that are not null.
    """
    found: dict[str, Any] = {}
    for field in dataclasses.fields(input):  # pyright: ignore[reportArgumentType]
        value = getattr(input, field.name)
        if field.name in without or value is strawberry.UNSET:
            continue
        if field.name == "document_ids" and value is not None:
            value = ids.read_all("Document", value)
        elif dataclasses.is_dataclass(value):
            value = {name: inner for name, inner in provided_values(value).items() if inner is not None}
        found[field.name] = value.name if isinstance(value, Enum) else value
    return found
