"""Named locks: every rule that reads before it writes, and so must not run twice at the same time.

`Database.begin(lock)` holds a lock until the transaction ends. Where one transaction writes at a time, as now, that one
holds all locks; a database with several writers needs an advisory lock for each.
"""

from enum import StrEnum


class Lock(StrEnum):
    """What a transaction reads and relies on until it is committed."""

    FIRST_START = "first start"
    """There is one local owner, and one sample project."""
    PROJECT_NAMES = "project names"
    """Nobody sees two projects of one name."""
    PROJECT_OWNERS = "project owners"
    """A project has at least one owner."""
    DOCUMENTS = "documents"
    """One document per source and idempotency key; a bounded queue; chunks, full text and vectors of one version."""
    EMBEDDING_SPACES = "embedding spaces"
    """A project has one active space, and its spaces have different numbers."""
    PAUSED_VECTORS = "paused vectors"
    """Vectors are kept only for documents that exist."""
    TURNS = "turns"
    """One answer at a time per session, one message per position and idempotency key, a bounded number per user."""
    MEMORIES = "memories"
    """A user's memories in a project differ, and their number is bounded."""
    ACCESS_TOKENS = "access tokens"
    """A user's access tokens are bounded in number, and end with the token that made them."""
    SETUP_TOKENS = "setup tokens"
    """A setup link works once."""
    IDENTITIES = "identities"
    """An identity belongs to one user."""
    USAGE_COUNTS = "usage counts"
    """What is counted stays within its limit."""
