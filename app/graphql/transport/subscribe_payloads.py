"""The payloads of `subscribe` messages: whether they are operations, and how much memory they take."""

from typing import Any, cast

from cross_web import HTTPException

from app.graphql.transport import bodies


def memory_size(value: object) -> int:
    """The approximate size of a JSON value in memory, in bytes."""
    if isinstance(value, str):
        return 50 + len(value)
    if isinstance(value, list):
        return 50 + sum(map(memory_size, cast("list[object]", value)))
    if isinstance(value, dict):
        return 50 + sum(memory_size(key) + memory_size(item) for key, item in cast("dict[str, object]", value).items())
    return 50


def is_operation(id: object, payload: Any) -> bool:
    """Whether a `subscribe` message has the parts of an operation, with the right types."""
    if not isinstance(id, str) or not isinstance(payload, dict):
        return False
    try:
        bodies.check_part_types(payload)  # pyright: ignore[reportUnknownArgumentType]
    except HTTPException:
        return False
    return any(payload.get(part) is not None for part in ("query", "extensions", "documentId"))  # pyright: ignore[reportUnknownMemberType]
