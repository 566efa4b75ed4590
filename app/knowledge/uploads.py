"""Validate uploaded documents and compute their size and checksum."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import asdict, dataclass, field
from typing import Any, BinaryIO

from app import addresses, errors, safe_text
from app.knowledge.parsing import sniff

PIECE_BYTES = 1_000_000
_HEAD_BYTES = 4096
MAX_METADATA_LENGTH = 10_000
"""Characters of a document's metadata as JSON."""
MAX_TITLE_LENGTH = 500
MAX_LENGTHS = {
    "title": MAX_TITLE_LENGTH,
    "source": 2000,
    "url": 2000,
    "name": 500,
    "media_type": 200,
    "idempotency_key": 200,
}
# Sources and places are indexed, and PostgreSQL's indexes cannot hold longer entries.
_MAX_SOURCE_BYTES = 2600
MAX_PLACE_BYTES = 2000


@dataclass(frozen=True, slots=True)
class FilePlace:
    """The place of a document's file. `place` identifies the file; `former` are the places known until now."""

    place: str
    former: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NewDocument:
    """The values sent along with a document's bytes. `source` identifies the document across versions.

    `file_place` is for commands, which read files again.
    """

    media_type: str
    title: str | None = None
    name: str | None = None
    source: str | None = None
    url: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    idempotency_key: str | None = None
    file_place: FilePlace | None = None


@dataclass(frozen=True, slots=True)
class ContentDigest:
    """Size and checksum of a document's bytes."""

    size: int
    sha256: str


class ContentChanged(errors.Conflict):
    """A file changed while it was read, so no part of it is stored."""

    def __init__(self) -> None:
        super().__init__("The file changed while it was read; ingest it again.")


def fingerprint(new: NewDocument, content: ContentDigest) -> str:
    """A checksum of everything that a client sent: the bytes and the values sent along."""
    fields = {**asdict(new), "idempotency_key": None, "sha256": content.sha256}
    del fields["file_place"]
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def check_new_document(new: NewDocument) -> None:
    """Raises Invalid if a value is too long or cannot be stored, or the URL is not a web address."""
    _check_values({name: getattr(new, name) for name in (*MAX_LENGTHS, "metadata")})


def check_document_changes(changes: Mapping[str, Any]) -> None:
    """Raises Invalid if a value is too long or cannot be stored, or the title is blank."""
    title = changes.get("title")
    if title is not None and not safe_text.to_one_line(title, MAX_TITLE_LENGTH):
        raise errors.Invalid.at(
            "title", "REQUIRED", "A title must not be blank; null uses the one found in the document."
        )
    _check_values(changes)


def _check_values(values: Mapping[str, Any]) -> None:
    issues = [
        errors.Issue((name,), "TOO_LONG", f"`{name}` must have at most {length} characters.")
        for name, length in MAX_LENGTHS.items()
        if len(values.get(name) or "") > length
    ]
    if values.get("idempotency_key") == "":
        message = "An idempotency key must not be empty; leave it out if there is none."
        issues.append(errors.Issue(("idempotency_key",), "REQUIRED", message))
    source = values.get("source") or ""
    if len(source.encode("utf-8", "surrogatepass")) > _MAX_SOURCE_BYTES:
        message = f"`source` must have at most {_MAX_SOURCE_BYTES:,} bytes in UTF-8."
        issues.append(errors.Issue(("source",), "TOO_LONG", message))
    url = values.get("url")
    if url and len(url) <= MAX_LENGTHS["url"] and not addresses.is_link(url):
        message = "A document's URL must begin with http:// or https://, name a host and contain no spaces."
        issues.append(errors.Issue(("url",), "INVALID", message))
    issues += [
        errors.Issue((name,), "INVALID", f"`{name}` must not contain U+0000 or half of a surrogate pair.")
        for name in (*MAX_LENGTHS, "metadata")
        if values.get(name) and _is_unstorable(values[name])
    ]
    if len(json.dumps(values.get("metadata"), ensure_ascii=False)) > MAX_METADATA_LENGTH:
        message = f"`metadata` must have at most {MAX_METADATA_LENGTH:,} characters as JSON."
        issues.append(errors.Issue(("metadata",), "TOO_LARGE", message))
    if issues:
        raise errors.Invalid(*issues)


def _is_unstorable(value: object) -> bool:
    """Whether some database cannot store a text or JSON value; a file name can be such a text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False).replace("\\u0000", "\0")
    return safe_text.replace_unstorable(text) != text


def check_content(file: BinaryIO, max_bytes: int, new: NewDocument) -> ContentDigest:
    """The size and checksum of the file's bytes. Raises Invalid if their format cannot be parsed."""
    file.seek(0)  # it may have been read for another document
    head = file.read(_HEAD_BYTES)
    file.seek(0)
    try:
        sniff.refuse_unreadable(head, new.name or new.source, new.media_type)
    except errors.DocumentError as error:
        raise errors.Invalid.at("file", "UNSUPPORTED", error.message) from error
    return digest_content(file, max_bytes)


def digest_content(file: BinaryIO, max_bytes: int) -> ContentDigest:
    """The size and checksum of the file's bytes. Raises Invalid if the file is empty or too large."""
    digest = hashlib.sha256()
    size = 0
    while piece := file.read(PIECE_BYTES):
        size += len(piece)
        if size > max_bytes:
            raise errors.Invalid.at(
                "file", "TOO_LARGE", f"The document is larger than the {max_bytes:,} bytes allowed (MAX_UPLOAD_BYTES)."
            )
        digest.update(piece)
    if size == 0:
        raise errors.Invalid.at("file", "REQUIRED", "The document is empty: it has no bytes.")
    return ContentDigest(size, digest.hexdigest())


def read_unchanged(file: BinaryIO, content: ContentDigest) -> Iterator[bytes]:
    """The file's bytes from its start, in pieces. Raises ContentChanged if they do not match `content`."""
    file.seek(0)
    digest = hashlib.sha256()
    size = 0
    while piece := file.read(PIECE_BYTES):
        size += len(piece)
        if size > content.size:  # the file may grow forever
            break
        digest.update(piece)
        yield piece
    if ContentDigest(size, digest.hexdigest()) != content:
        raise ContentChanged
