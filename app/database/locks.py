"""Named locks: one for each rule that reads rows and then relies on what it read.

`Database.begin(lock)` holds its lock until the transaction ends. SQLite lets one transaction write at a time, so there
each transaction holds every lock; a database with several writers needs an advisory lock for each.
"""

from dataclasses import dataclass
from enum import StrEnum


class Lock(StrEnum):
    """What a transaction reads and relies on until it is committed."""

    FIRST_START = "first start"
    """There is one local owner, and one sample project."""
    SIGNING_KEYS = "signing keys"
    """All processes sign with the same key."""
    PROJECT_NAMES = "project names"
    """Nobody sees two projects of one name."""
    PROJECT_OWNERS = "project owners"
    """A project has at least one owner."""
    DOCUMENTS = "documents"
    """One document per source and idempotency key; chunks, full text and vectors of one version. Most transactions take
    it for their project alone, see `ProjectLock`."""
    INGESTION_QUEUE = "ingestion queue"
    """A bounded queue. Taken after `DOCUMENTS` of the projects whose documents are queued; whoever holds that for all
    projects holds this, too."""
    EMBEDDING_SPACES = "embedding spaces"
    """A project has one active space, and its spaces have different numbers."""
    PAUSED_VECTORS = "paused vectors"
    """Vectors are kept only for documents that exist."""
    TURNS = "turns"
    """One answer at a time per session, one message per position and idempotency key, a bounded number per user; one of
    the messages that follow the same one is current. Taken before `ANSWER_LOGS`."""
    ANSWER_LOGS = "answer logs"
    """An answer ends once, and its log has no gaps."""
    CALIBRATIONS = "calibrations"
    """A model has one calibration per script."""
    FEEDBACK = "feedback"
    """A user has one rating per answer, and one count per source of it."""
    EVENT_RELAY = "event relay"
    """One process delivers the events."""
    MEMORIES = "memories"
    """A user's memories in a project differ, and their number is bounded."""
    MESSAGE_TEXTS = "message texts"
    """A message is in the full text once, and a user has one number there."""
    SIGN_INS = "sign-ins"
    """What ends a user's sign-ins raises their generation above that of every one of them."""
    ACCESS_TOKENS = "access tokens"
    """A user's access tokens are bounded in number, and end with the token that made them."""
    SETUP_TOKENS = "setup tokens"
    """A user has one setup link, which works once."""
    IDENTITIES = "identities"
    """An identity belongs to one user."""
    USAGE_COUNTS = "usage counts"
    """What is counted stays within its limit."""


@dataclass(frozen=True, slots=True)
class ProjectLock:
    """A lock for what belongs to one project, so that other projects go on. `lock` itself is that of all projects."""

    lock: Lock
    project_id: str


AnyLock = Lock | ProjectLock
