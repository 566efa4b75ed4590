"""A body or a message as it came in; JSON that the rest can rely on out."""

import json
from typing import Any


def decode(data: str | bytes) -> object:
    """The JSON value. Raises JSONDecodeError, also for what is nested too deeply, and UnicodeDecodeError."""
    try:
        return _whole(json.loads(data))
    except RecursionError as error:
        raise json.JSONDecodeError("nested too deeply", "", 0) from error


def _whole(value: Any) -> Any:
    """Half of a character (JavaScript cuts strings there) becomes a replacement sign: no database takes it."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return value
