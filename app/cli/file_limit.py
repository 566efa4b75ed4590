"""The limit on open files: raised as far as allowed, and reported if it is too low."""

import os
from contextlib import suppress
from types import ModuleType

from app import errors

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

_WANTED = 1024
# What `footnote ingest` opens at most, with its parsers, the files that it adds at once and connections to models.
_LEAST = 56


def require_free_files() -> None:
    """Raises StartError if a command could not open as many files as it needs: later errors do not name the limit."""
    _raise_limit()
    opened: list[int] = []
    try:
        while len(opened) < _LEAST:
            opened.append(os.dup(2))
    except OSError as error:
        raise errors.StartError(_describe_limit(error)) from error
    finally:
        for number in opened:
            os.close(number)


def _raise_limit() -> None:
    """Raise the limit to a usual value, if allowed."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        highest = _WANTED if hard == resource.RLIM_INFINITY else min(_WANTED, hard)
        if soft != resource.RLIM_INFINITY and soft < highest:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (highest, hard))


def _describe_limit(error: OSError) -> str:
    limit = "" if resource is None else f" (the limit is {resource.getrlimit(resource.RLIMIT_NOFILE)[0]})"
    return (
        f"Too few files may be open at once: {error.strerror}{limit}, and Footnote opens up to {_LEAST} more. Raise "
        f"the limit with `ulimit -n {_WANTED}`, `LimitNOFILE={_WANTED}` in a systemd unit, or `--ulimit "
        f"nofile={_WANTED}` for a container."
    )
