"""Named locks as advisory locks of PostgreSQL, which end with their transaction."""

import zlib

from sqlalchemy import TextClause, text

from app.database.locks import AnyLock, ProjectLock

# The first of the two numbers of a lock tells ours from those that others may take in the same database.
_OURS = zlib.crc32(b"footnote") - 2**31

# Of the usual one it is 0: earlier versions had no other.
_NUMBER_OF_SCHEMA = "coalesce(hashtext(nullif(current_schema(), 'public')), 0)"


def lock_statement(*locks: AnyLock | str) -> TextClause:
    """Waits until no other transaction holds one of these locks, and takes them in this order."""
    calls: list[str] = []
    values: dict[str, int] = {}
    for place, lock in enumerate(locks):
        name = lock
        if isinstance(lock, ProjectLock):
            # Shared by those of all projects: whoever wants it alone waits for them, and they for him.
            calls.append(f"pg_advisory_xact_lock_shared({_OURS}, {_number(lock.lock)})")
            name = f"{lock.lock} of {lock.project_id}"
        calls.append(f"pg_advisory_xact_lock({_OURS}, :lock_{place})")
        values[f"lock_{place}"] = _number(str(name))
    return text(f"SELECT {', '.join(calls)}").bindparams(**values)


def try_lock_statement(name: str) -> str:
    """Takes a lock that ends with its connection, and says whether it could.

    Installations in other schemas of the same database have their own.
    """
    return f"SELECT pg_try_advisory_lock({_OURS}, {_number(name)} # {_NUMBER_OF_SCHEMA})"


def _number(name: str) -> int:
    """The second number of a lock. Two names may share one, and then wait for each other in vain."""
    return zlib.crc32(name.encode()) - 2**31
