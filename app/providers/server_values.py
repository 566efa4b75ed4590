"""Read what a model server sends: its JSON may be anything, and of any size. Pure."""

import json
from typing import cast

from app.providers import base

# The sum of two is still a whole number of GraphQL. Some servers name 10^30 for a window that they do not know.
_MAX_COUNT = 1_000_000_000


def decode_json(data: str | bytes | bytearray) -> object:
    """The value. Raises JSONDecodeError, also for numbers and for levels that are too many for Python's parser."""
    try:
        return json.loads(data)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(str(error), "", 0) from error


def read_fields(value: object) -> base.JsonObject:
    """The fields of an object; none of anything else."""
    return cast("base.JsonObject", value) if isinstance(value, dict) else {}


def read_count(value: object) -> int | None:
    """A number of tokens or of anything else that is counted; None for what cannot be one."""
    return value if type(value) is int and 0 <= value <= _MAX_COUNT else None
