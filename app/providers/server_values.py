"""Read JSON from model servers, which may contain anything of any size. Pure."""

import json
from typing import cast

from app.providers import base

# The sum of two still fits into a GraphQL Int. Some servers report 10^30 for a window that they do not know.
_MAX_COUNT = 1_000_000_000


def decode_json(data: str | bytes | bytearray) -> object:
    """Parse JSON. Raises JSONDecodeError, also for numbers too long or nesting too deep for Python's parser."""
    try:
        return json.loads(data)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError) as error:
        raise json.JSONDecodeError(str(error), "", 0) from error


def read_fields(value: object) -> base.JsonObject:
    """The fields of an object; empty for anything else."""
    return cast("base.JsonObject", value) if isinstance(value, dict) else {}


def read_count(value: object) -> int | None:
    """A count; None for anything that cannot be one."""
    return value if type(value) is int and 0 <= value <= _MAX_COUNT else None


def read_tokens(value: object) -> int | None:
    """A number of tokens; None for 0, too, with which servers report what they do not know."""
    return read_count(value) or None
