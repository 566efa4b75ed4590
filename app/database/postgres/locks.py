"""Named locks as PostgreSQL advisory locks, which end with their transaction."""

import zlib

from sqlalchemy import TextClause, text

from app.database.locks import AnyLock, ProjectLock

# The first of a lock's two numbers tells our locks from those of other programs in the same database.
_NAMESPACE = zlib.crc32(b"footnote") - 2**31

# 0 for the default schema, the only one that earlier versions supported.
_SCHEMA_NUMBER = "coalesce(hashtext(nullif(current_schema(), 'public')), 0)"


def lock_statement(*locks: AnyLock | str) -> TextClause:
    """A statement that takes these locks in this order, waiting for the transactions that hold them."""
    calls: list[str] = []
    values: dict[str, int] = {}
    for index, lock in enumerate(locks):
        name = lock
        if isinstance(lock, ProjectLock):
            # The lock of all projects is shared by those of single projects; whoever takes it exclusively waits for
            # them, and they for it.
            calls.append(f"pg_advisory_xact_lock_shared({_NAMESPACE}, {_number(lock.lock)})")
            name = f"{lock.lock} of {lock.project_id}"
        calls.append(f"pg_advisory_xact_lock({_NAMESPACE}, :lock_{index})")
        values[f"lock_{index}"] = _number(str(name))
    return text(f"SELECT {', '.join(calls)}").bindparams(**values)


def try_lock_statement(name: str) -> str:
    """A statement that tries to take a lock until its connection ends, and returns whether it could.

    Installations in other schemas of the same database have their own locks.
    """
    return f"SELECT pg_try_advisory_lock({_NAMESPACE}, {_number(name)} # {_SCHEMA_NUMBER})"


def share_lock_statement(name: str) -> str:
    """A statement that takes a lock until its connection ends, as others may at the same time."""
    return f"SELECT pg_advisory_lock_shared({_NAMESPACE}, {_number(name)} # {_SCHEMA_NUMBER})"


def _number(name: str) -> int:
    """The second number of a lock. Two names that collide wait for each other needlessly, which does no harm."""
    return zlib.crc32(name.encode()) - 2**31
