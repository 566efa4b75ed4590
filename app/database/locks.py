"""Named locks, one for each invariant that a transaction checks by reading rows before it writes.

`Database.begin(lock)` holds its lock until the transaction ends. SQLite lets one transaction write at a time, so every
transaction there holds all locks; a database with several writers needs an advisory lock for each.
"""

from dataclasses import dataclass
from enum import StrEnum


class Lock(StrEnum):
    """The invariants; each stays true as long as every transaction that could break it holds its lock."""

    FIRST_START = "first start"
    """There is one local owner, and one sample project."""
    SIGNING_KEYS = "signing keys"
    """All processes sign with the same key."""
    PROJECT_NAMES = "project names"
    """No user sees two projects with the same name."""
    PROJECT_OWNERS = "project owners"
    """A project has at least one owner."""
    DOCUMENTS = "documents"
    """One document per source and idempotency key; chunks, full text and vectors of one version. Most transactions take
    it for their project alone, see `ProjectLock`."""
    INGESTION_QUEUE = "ingestion queue"
    """The queue is bounded. Taken after `DOCUMENTS` of the projects whose documents are queued; a transaction that
    holds `DOCUMENTS` of all projects must hold this as well."""
    EMBEDDING_SPACES = "embedding spaces"
    """A project has one active space, and its spaces have different numbers. Taken after `DOCUMENTS`."""
    PAUSED_VECTORS = "paused vectors"
    """Paused vectors belong to documents that exist."""
    TURNS = "turns"
    """One answer at a time per session, a bounded number per user, one message per position and idempotency key; of the
    messages that follow the same message, one is current. Taken before `ANSWER_LOGS`."""
    ANSWER_LOGS = "answer logs"
    """An answer ends once, and its log has no gaps."""
    CALIBRATIONS = "calibrations"
    """A model has one calibration per script."""
    FEEDBACK = "feedback"
    """A user has one rating per answer, and one opening count per source."""
    EVENT_RELAY = "event relay"
    """One process delivers the events."""
    MEMORIES = "memories"
    """A user's memories in a project differ, and their number is bounded."""
    MESSAGE_TEXTS = "message texts"
    """A message is in the full-text index once, and a user has one number there."""
    SIGN_INS = "sign-ins"
    """Ending a user's sign-ins raises the user's generation above that of every existing sign-in."""
    ACCESS_TOKENS = "access tokens"
    """The number of a user's access tokens is bounded, and a token ends with the token that created it."""
    SETUP_TOKENS = "setup tokens"
    """A user has one setup link, which works once."""
    IDENTITIES = "identities"
    """An identity belongs to one user."""
    USAGE_COUNTS = "usage counts"
    """Usage counts stay within their limits."""


@dataclass(frozen=True, slots=True)
class ProjectLock:
    """A lock for one project's rows, which does not hold up other projects. `lock` itself covers all projects."""

    lock: Lock
    project_id: str


AnyLock = Lock | ProjectLock
