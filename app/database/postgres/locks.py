"""Named locks as advisory locks of PostgreSQL, which end with their transaction."""

import zlib

from sqlalchemy import TextClause, text

from app.database.locks import Lock

# The first of the two numbers of a lock tells ours from those that others may take in the same database.
_OURS = zlib.crc32(b"footnote") - 2**31


def lock_statement(lock: Lock | str) -> TextClause:
    """Waits until no other transaction holds this lock, and takes it."""
    return text(f"SELECT pg_advisory_xact_lock({_OURS}, {zlib.crc32(lock.encode()) - 2**31})")


def try_lock_statement(name: str) -> str:
    """Takes a lock that ends with its connection, and says whether it could."""
    return f"SELECT pg_try_advisory_lock({_OURS}, {zlib.crc32(name.encode()) - 2**31})"
