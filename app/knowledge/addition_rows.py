"""Decide what to do with added documents, given the existing rows, and write the new rows."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from sqlalchemy import Connection, bindparam, delete, func, insert, inspect, or_, select, update
from sqlalchemy.orm import Session, aliased

from app import errors
from app.database import models
from app.knowledge import originals, storage_limits, uploads, versions
from app.knowledge.uploads import ContentDigest, FilePlace, NewDocument

AddedDocument = tuple[models.Document, bool]
"""The row, and whether it already existed unchanged (then nothing was done)."""
Outcome = AddedDocument | errors.FootnoteError
MAX_KEYS = 200
"""How many idempotency keys a document keeps: one mutation may add as many texts, and may be sent again."""

_COLUMNS = [(column.key, column.columns[0].name) for column in inspect(models.Document).column_attrs]
_INSERT_DOCUMENTS = insert(models.Document)
_INSERT_ORIGINALS = insert(models.Original)
_NUMBERED = aliased(models.DocumentKey)
_LAST_NUMBER = (
    select(func.coalesce(func.max(_NUMBERED.number), 0))
    .where(_NUMBERED.document_id == bindparam("document"))
    .scalar_subquery()
)
_INSERT_KEYS = insert(models.DocumentKey).values(document_id=bindparam("document"), number=_LAST_NUMBER + 1)
_FORGET_KEYS = delete(models.DocumentKey).where(
    models.DocumentKey.document_id == bindparam("document"), models.DocumentKey.number <= _LAST_NUMBER - MAX_KEYS
)
_SELECT_PROJECTS = select(models.Project.id).where(models.Project.id.in_(bindparam("ids", expanding=True)))
_SELECT_KEYS = select(models.DocumentKey).where(
    models.DocumentKey.project_id.in_(bindparam("projects", expanding=True)),
    models.DocumentKey.key.in_(bindparam("keys", expanding=True)),
)
# The rows stay locked: nobody else claims, finishes or deletes these documents until the transaction ends.
_SELECT_KNOWN = (
    select(models.Document)
    .where(
        or_(
            models.Document.id.in_(bindparam("ids", expanding=True)),
            models.Document.project_id.in_(bindparam("projects", expanding=True))
            & models.Document.source.in_(bindparam("sources", expanding=True)),
        )
    )
    .with_for_update()
)
_SEARCHED_VERSION = (
    select(models.Chunk.version).where(models.Chunk.document_id == bindparam("document")).limit(1).scalar_subquery()
)
# Originals of versions that were never searched would accumulate after repeated failures.
_DELETE_STALE_ORIGINALS = delete(models.Original).where(
    models.Original.document_id == bindparam("document"), models.Original.version != func.coalesce(_SEARCHED_VERSION, 0)
)
_COUNT_INDEX_CHANGE = (
    update(models.Project)
    .where(models.Project.id.in_(bindparam("projects", expanding=True)))
    .values(index_version=models.Project.index_version + 1)
)
_COUNT_BYTES = (
    update(models.Project)
    .where(models.Project.id == bindparam("project"))
    .values(stored_bytes=models.Project.stored_bytes + bindparam("size"))
)


@dataclass(frozen=True, slots=True)
class Addition:
    """A document to add, with the size and checksum of its bytes."""

    project_id: str
    new: NewDocument
    content: ContentDigest
    file: BinaryIO

    @property
    def names(self) -> Iterator[tuple[str, str, str]]:
        """Its identities within the project: two additions that share one must be added one after the other."""
        if self.new.file_place is not None:
            yield self.project_id, "place", self.new.file_place.place
        if self.new.source is not None:
            yield self.project_id, "source", self.new.source
        if self.new.idempotency_key is not None:
            yield self.project_id, "key", self.new.idempotency_key


@dataclass(slots=True)
class KnownRows:
    """The rows that the database already has for some additions, by project and name."""

    projects: set[str]
    keys: dict[tuple[str, str], tuple[models.DocumentKey, models.Document]]
    sources: dict[tuple[str, str | None], models.Document]
    searched: set[str] = field(default_factory=set[str])
    """Documents whose newest version is searched: its original stays until the next version has been read."""
    older_bytes: dict[str, int] = field(default_factory=dict[str, int])
    """For the others, by document id: the bytes of the original that is searched instead."""

    def measure_growth(self, document: models.Document | None, size: int) -> tuple[int, int]:
        """The bytes that a version of this size adds to originals, and those that are freed once it is read."""
        if document is None:
            return size, 0
        if document.id in self.searched:
            return size, document.bytes
        return size - document.bytes, self.older_bytes.get(document.id, 0)


@dataclass(slots=True)
class AdditionChanges:
    """The rows that a group of additions will write."""

    started: list[tuple[models.Document, Addition]] = field(default_factory=list[tuple[models.Document, Addition]])
    keys: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    places: list[tuple[models.Document, FilePlace]] = field(default_factory=list[tuple[models.Document, FilePlace]])
    added_bytes: Counter[str] = field(default_factory=Counter[str])

    def record_names(self, document: models.Document, addition: Addition) -> None:
        """Record the document's idempotency key and the place of its file."""
        if addition.new.file_place is not None:
            self.places.append((document, addition.new.file_place))
        if (key := addition.new.idempotency_key) is not None:
            fingerprint = uploads.fingerprint(addition.new, addition.content)
            values = {"project_id": addition.project_id, "key": key, "document": document.id, "sha256": fingerprint}
            self.keys.append(values)


def decide_addition(
    addition: Addition,
    known: KnownRows,
    changes: AdditionChanges,
    reserve_slot: Callable[[str], None],
    reserve_bytes: Callable[[str, int, int], None],
) -> Outcome:
    """Find or start the document's version; writes nothing. Raises NotFound, Conflict, Invalid or Unavailable."""
    project_id, new, content = addition.project_id, addition.new, addition.content
    if project_id not in known.projects:
        raise errors.NotFound("project", project_id)
    if used := known.keys.get((project_id, new.idempotency_key or "")):
        key, document = used
        # Earlier versions of Footnote stored the checksum of the content alone.
        if key.sha256 not in (uploads.fingerprint(new, content), content.sha256) or document.source != new.source:
            raise errors.Conflict("This idempotency key was already used for another document.", document)
        return document, True
    document = known.sources.get((project_id, new.source)) if new.source is not None else None
    if document is not None and versions.is_unchanged(document, content):
        changes.record_names(document, addition)
        return document, True
    added_bytes, freed_later = known.measure_growth(document, content.size)
    reserve_slot(project_id)
    reserve_bytes(project_id, added_bytes, freed_later)  # last: a document that the queue rejects must not count
    if document is None:
        now = models.now()
        document = models.Document(
            id=models.new_id(),
            project_id=project_id,
            source=new.source,
            created_at=now,
            updated_at=now,
            version=0,
            reader_version=0,
        )
    versions.start_version(document, new, content)
    changes.record_names(document, addition)
    changes.started.append((document, addition))
    changes.added_bytes[project_id] += added_bytes
    return document, False


def split_repetitions(additions: Sequence[Addition]) -> Iterator[list[Addition]]:
    """Split additions, in order, into groups within which no source, key or place repeats."""
    group: list[Addition] = []
    names = set[tuple[str, str, str]]()
    for addition in additions:
        own = set(addition.names)
        if own & names:
            yield group
            group, names = [], set[tuple[str, str, str]]()
        group.append(addition)
        names |= own
    yield group


def find_known_rows(db: Session, additions: Sequence[Addition]) -> KnownRows:
    """Find the existing rows for these additions, with at most five statements."""
    projects = list({addition.project_id for addition in additions})
    known = KnownRows(set(db.connection().execute(_SELECT_PROJECTS, {"ids": projects}).scalars()), {}, {})
    wanted = [key for addition in additions if (key := addition.new.idempotency_key) is not None]
    sources = [source for addition in additions if (source := addition.new.source) is not None]
    keys = db.scalars(_SELECT_KEYS, {"projects": projects, "keys": wanted}).all() if wanted else ()
    if keys or sources:
        ids = [key.document_id for key in keys]
        documents = db.scalars(_SELECT_KNOWN, {"ids": ids, "projects": projects, "sources": sources}).all()
        by_id = {document.id: document for document in documents}
        known.keys = {(key.project_id, key.key): (key, by_id[key.document_id]) for key in keys}
        known.sources = {(document.project_id, document.source): document for document in documents}
    if changed := _find_changed(known, additions):
        known.searched = storage_limits.find_searched(db, changed)
        known.older_bytes = storage_limits.read_older_bytes(db, changed)
    return known


def _find_changed(known: KnownRows, additions: Sequence[Addition]) -> list[str]:
    """The documents to which these additions bring new content."""
    pairs = [(known.sources.get((addition.project_id, addition.new.source)), addition) for addition in additions]
    return [
        document.id
        for document, addition in pairs
        if document and not versions.is_unchanged(document, addition.content)
    ]


def write_changes(db: Session, changes: AdditionChanges) -> None:
    """Write documents, their originals, their keys and the places of their files."""
    db.flush()  # existing documents
    connection = db.connection()
    if inserted := [_row_values(document) for document, _ in changes.started if document.version == 1]:
        connection.execute(_INSERT_DOCUMENTS, inserted)
    if replaced := [document for document, _ in changes.started if document.version > 1]:
        connection.execute(_DELETE_STALE_ORIGINALS, [{"document": document.id} for document in replaced])
        # Their chunks stay for now, but searches filter by their title and metadata, which may have changed.
        connection.execute(_COUNT_INDEX_CHANGE, {"projects": list({document.project_id for document in replaced})})
    small: list[dict[str, Any]] = []
    for document, addition in changes.started:
        pieces = originals.piece_values(document, addition.file)
        if addition.content.size <= uploads.PIECE_BYTES:
            small += pieces
            continue
        for piece in pieces:  # one at a time: a large file may not fit into memory
            connection.execute(_INSERT_ORIGINALS, piece)
    if small:
        connection.execute(_INSERT_ORIGINALS, small)  # crash guard: add.original
    if changes.added_bytes:
        sizes = [{"project": project_id, "size": size} for project_id, size in changes.added_bytes.items()]
        connection.execute(_COUNT_BYTES, sizes)
    if changes.keys:
        _write_keys(connection, changes.keys, new={row["id"] for row in inserted})
    if changes.places:
        originals.write_places(db, changes.places)


def _write_keys(connection: Connection, keys: Sequence[dict[str, str]], *, new: Set[str]) -> None:
    """Write keys of documents. Documents that are not `new` forget their oldest keys."""
    connection.execute(_INSERT_KEYS, keys)
    if further := [{"document": key["document"]} for key in keys if key["document"] not in new]:
        connection.execute(_FORGET_KEYS, further)


def _row_values(document: models.Document) -> dict[str, Any]:
    return {column: getattr(document, attribute) for attribute, column in _COLUMNS}
