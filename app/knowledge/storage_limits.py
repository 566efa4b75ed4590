"""Limit the storage of a user's projects: the bytes of their originals, plus a byte per character of their chunks.

The original of a version that is still searched counts beside that of the version that will replace it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, bindparam, exists, func, select
from sqlalchemy.orm import Session, aliased

from app import errors
from app.database import models

_OWNER, _OTHER = aliased(models.ProjectMember), aliased(models.ProjectMember)


def _is_first_owner(member: type[models.ProjectMember]) -> ColumnElement[bool]:
    """Whether a member is the project's first owner: it counts only for them, even if they add other owners."""
    earlier = aliased(models.ProjectMember)
    is_earlier = (earlier.created_at < member.created_at) | (
        (earlier.created_at == member.created_at) & (earlier.user_id < member.user_id)
    )
    of_project = earlier.project_id == member.project_id
    return (member.role == "OWNER") & ~exists().where(of_project, earlier.role == "OWNER", is_earlier)


_SUM_OF_USER = select(func.sum(models.Project.stored_bytes)).join(_OTHER, _OTHER.project_id == models.Project.id)
_STORED = select(
    _OWNER.project_id,
    _OWNER.user_id,
    _SUM_OF_USER.where(_OTHER.user_id == _OWNER.user_id, _is_first_owner(_OTHER)).correlate(_OWNER).scalar_subquery(),
).where(_OWNER.project_id.in_(bindparam("projects", expanding=True)), _is_first_owner(_OWNER))
_STORED_BY_USER = _SUM_OF_USER.where(_OTHER.user_id == bindparam("user"), _is_first_owner(_OTHER))
_DOCUMENT_BYTES = select(func.sum(models.Document.bytes)).where(models.Document.project_id == models.Project.id)
_LENGTH = func.length(models.Original.data)
_OLDER_BYTES = (
    select(func.sum(_LENGTH))
    .join(models.Document, models.Document.id == models.Original.document_id)
    .where(models.Original.version != models.Document.version, models.Document.project_id == models.Project.id)
)
_OLDER_BYTES_OF_DOCUMENTS = (
    select(models.Original.document_id, func.sum(_LENGTH))
    .join(models.Document, models.Document.id == models.Original.document_id)
    .where(models.Original.version != models.Document.version, models.Document.id.in_(bindparam("ids", expanding=True)))
    .group_by(models.Original.document_id)
)
_SEARCHED = select(models.Chunk.document_id).where(
    models.Chunk.document_id == models.Document.id, models.Chunk.version == models.Document.version
)
_SEARCHED_DOCUMENTS = select(models.Document.id).where(
    models.Document.id.in_(bindparam("ids", expanding=True)), _SEARCHED.exists()
)
_CHUNK_CHARACTERS = select(func.sum(func.length(models.Chunk.text))).where(models.Chunk.project_id == models.Project.id)
_FORMER_CHARACTERS = (
    select(models.Chunk.document_id, func.sum(func.length(models.Chunk.text)))
    .where(models.Chunk.document_id.in_(bindparam("ids", expanding=True)))
    .group_by(models.Chunk.document_id)
)
RECOUNTED_BYTES = (
    func.coalesce(_DOCUMENT_BYTES.scalar_subquery(), 0)
    + func.coalesce(_OLDER_BYTES.scalar_subquery(), 0)
    + func.coalesce(_CHUNK_CHARACTERS.scalar_subquery(), 0)
)
"""The stored bytes of a project, recounted; this reads all of its chunks."""
FULL = "STORAGE_FULL"
"""The code of a document that exceeds its owner's storage, when it is added or when its text is known."""


@dataclass(slots=True)
class StoredBytes:
    """The stored bytes of the owners of some projects. A project without owners counts for nobody."""

    owners: dict[str, str] = field(default_factory=dict[str, str])
    by_user: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True, slots=True)
class StorageLimits:
    """How many bytes the projects of a user may store; None: no limit.

    No lock is taken, so that a slow document does not block other projects. Two projects of one user that store
    documents at the same moment may exceed the limit by one document.
    """

    max_user_bytes: int | None

    def read_stored(self, db: Session, project_ids: list[str]) -> StoredBytes:
        """Read the bytes stored now; reads nothing if there is no limit."""
        if self.max_user_bytes is None:
            return StoredBytes()
        rows = db.connection().execute(_STORED, {"projects": project_ids}).all()
        return StoredBytes({row[0]: row[1] for row in rows}, Counter({row[1]: int(row[2]) for row in rows}))

    def reserve_bytes(self, stored: StoredBytes, project_id: str, size: int, freed_later: int) -> None:
        """Add bytes to a project. Raises Invalid if they exceed its owner's limit.

        Bytes that are `freed_later` count until then, but do not keep a document from being replaced by a smaller one.
        """
        if (refusal := self._try_to_reserve(stored, project_id, size, freed_later)) is not None:
            raise errors.Invalid.at("file", FULL, refusal)

    def find_over_limit(self, project_id: str, characters: Mapping[str, int], db: Session) -> dict[str, str]:
        """The documents of a project whose text exceeds its owner's limit: their ids, with the reason.

        `characters` holds each text's length by document id. A document's former text and original no longer count.
        """
        stored = self.read_stored(db, [project_id])
        if self._try_to_reserve(stored, project_id, sum(characters.values())) is None:
            return {}
        former = Counter(read_older_bytes(db, list(characters)))
        former.update(
            {row[0]: row[1] for row in db.connection().execute(_FORMER_CHARACTERS, {"ids": list(characters)})}
        )
        refusals = {id: self._try_to_reserve(stored, project_id, size - former[id]) for id, size in characters.items()}
        return {id: refusal for id, refusal in refusals.items() if refusal is not None}

    def _try_to_reserve(self, stored: StoredBytes, project_id: str, size: int, freed_later: int = 0) -> str | None:
        """Add bytes to a project; if they exceed its owner's limit, add nothing and return the reason."""
        owner = stored.owners.get(project_id)
        if self.max_user_bytes is None or owner is None:
            return None
        used = stored.by_user[owner]
        if size > freed_later and used + size - freed_later > self.max_user_bytes:
            return (
                f"There is no room for this document: the projects of this project's owner hold {used:,} of the "
                f"{self.max_user_bytes:,} bytes allowed (MAX_STORED_BYTES_PER_USER). Delete documents to make room."
            )
        stored.by_user[owner] += size
        return None


def read_older_bytes(db: Session, document_ids: Sequence[str]) -> dict[str, int]:
    """The bytes of originals that documents have besides that of their newest version, by document id."""
    return {row[0]: int(row[1]) for row in db.connection().execute(_OLDER_BYTES_OF_DOCUMENTS, {"ids": document_ids})}


def find_searched(db: Session, document_ids: Sequence[str]) -> set[str]:
    """The documents whose newest version is searched: its original is kept until the next version has been read."""
    return set(db.connection().execute(_SEARCHED_DOCUMENTS, {"ids": document_ids}).scalars())


def read_user_bytes(user_id: str, db: Session) -> int:
    """The bytes stored in the projects that count for this user."""
    return int(db.connection().execute(_STORED_BY_USER, {"user": user_id}).scalar() or 0)
