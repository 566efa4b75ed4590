"""The topics of notifications."""

import re
from collections.abc import Iterable, Iterator
from typing import NewType

Topic = NewType("Topic", str)
"""What a notification is about. It says that something has changed, not what: that is in the database."""

INGESTION_QUEUE = Topic("ingestion-queue")
"""Documents were queued, or a worker has become free."""
EMBEDDING_SPACES = Topic("embedding-spaces")
"""An embedding space must be built or removed, or no longer needs to be."""
ANSWERS_ENDED = Topic("answers-ended")
"""Answers were ended or deleted, perhaps by another process than the one that generates them."""
ACCESS = Topic("access")
"""A user may have lost access to something, or a credential may have expired or been revoked."""
RETENTION = Topic("retention")
"""A project's retention period for chat sessions has changed."""
OUTBOX = Topic("outbox")
"""Events are waiting for delivery, or the process that delivers them has stopped."""
EVERYTHING = Topic("everything")
"""Stands for all topics, when too many have changed to list them."""

_VALID_TOPIC = re.compile(
    r"(?:document|project|project-deleted|answer|embedding-space):[0-9A-Za-z-]{1,64}|"
    rf"{INGESTION_QUEUE}|{EMBEDDING_SPACES}|{ANSWERS_ENDED}|{ACCESS}|{RETENTION}|{OUTBOX}|{EVERYTHING}",
    re.ASCII,
)


def document(document_id: str) -> Topic:
    """A document has changed."""
    return Topic(f"document:{document_id}")


def project_documents(project_id: str) -> Topic:
    """Documents of a project have changed, or the project was deleted."""
    return Topic(f"project:{project_id}")


def project_deleted(project_id: str) -> Topic:
    """A project was deleted, or the rest of it."""
    return Topic(f"project-deleted:{project_id}")


def embedding_space(space_id: str) -> Topic:
    """An embedding space has changed, or was removed."""
    return Topic(f"embedding-space:{space_id}")


def answer(message_id: str) -> Topic:
    """The log of an answer has grown."""
    return Topic(f"answer:{message_id}")


def encode(topics: Iterable[Topic], max_bytes: int) -> Iterator[bytes]:
    """Split topics into messages of at most `max_bytes`."""
    lines: list[bytes] = []
    size = 0
    for line in (topic.encode("ascii") for topic in topics):
        if lines and size + len(line) >= max_bytes:
            yield b"\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield b"\n".join(lines)


def decode(message: bytes) -> list[Topic]:
    """The topics in a message; anything else in it is ignored."""
    lines = message.decode("ascii", "replace").split("\n")
    return [Topic(line) for line in lines if _VALID_TOPIC.fullmatch(line)]
