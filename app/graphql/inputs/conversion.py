"""Inputs as clients gave them in; the values that services take out."""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

import strawberry

from app import errors
from app.graphql import ids
from app.graphql.inputs.requests import DocumentFilter, DocumentOrder, OrderDirection
from app.knowledge.search.filters import Filter

# Beyond, neither databases nor JavaScript tell whole numbers from one another.
_LARGEST = 2**53


@dataclass(frozen=True, slots=True)
class Order:
    """An order of documents as the library takes it."""

    field: str
    descending: bool


def document_filter(which: DocumentFilter | None) -> Filter:
    """As the library takes it."""
    if which is None:
        return Filter()
    return Filter(
        status=None if which.status is None else [status.name for status in which.status],
        title_contains=which.title_contains,
        metadata=None if which.metadata is None else json_object("metadata", which.metadata),
    )


def document_order(order: DocumentOrder | None) -> Order:
    """As the library takes it."""
    if order is None:
        return Order("CREATED_AT", descending=False)
    return Order(order.field.name, descending=order.direction is OrderDirection.DESC)


def json_object(name: str, value: object) -> dict[str, Any]:
    """The value as an object. Raises Invalid for any other JSON, and for numbers that no database holds."""
    if not isinstance(value, dict):
        raise errors.Invalid.one(name, "INVALID", f"`{name}` must be a JSON object.")
    found = cast("dict[str, Any]", value)
    inside: list[Any] = [found]
    while inside:
        item = inside.pop()
        if isinstance(item, dict):
            inside += cast("dict[str, Any]", item).values()
        elif isinstance(item, list):
            inside += cast("list[Any]", item)
        elif isinstance(item, int | float) and not -_LARGEST <= item <= _LARGEST:
            raise errors.Invalid.one(name, "OUT_OF_RANGE", f"A number in `{name}` is at most {_LARGEST:,}.")
    return found


def values(of: object, *, without: Collection[str] = ()) -> dict[str, Any]:
    """What the client gave of an input, by name: enums as their names, global ids of documents as rows' ids."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(of):  # pyright: ignore[reportArgumentType]
        value = getattr(of, field.name)
        if field.name in without or value is strawberry.UNSET:
            continue
        if field.name == "document_ids" and value is not None:
            value = ids.read_all("Document", value)
        found[field.name] = value.name if isinstance(value, Enum) else value
    return found
