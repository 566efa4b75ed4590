"""Limit what the projects of a user hold: the bytes of their documents, and a byte per character of their chunks."""

from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, bindparam, exists, func, select
from sqlalchemy.orm import Session, aliased

from app import errors
from app.database import models

_OWNER, _OTHER = aliased(models.ProjectMember), aliased(models.ProjectMember)


def _is_first_owner(member: type[models.ProjectMember]) -> ColumnElement[bool]:
    """A project counts for one of its owners: the first, who cannot pass it on by making others owners, too."""
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
_CHUNK_CHARACTERS = select(func.sum(func.length(models.Chunk.text))).where(models.Chunk.project_id == models.Project.id)
COUNTED_AGAIN = func.coalesce(_DOCUMENT_BYTES.scalar_subquery(), 0) + func.coalesce(
    _CHUNK_CHARACTERS.scalar_subquery(), 0
)
"""What a project holds, counted anew, which reads all of its chunks."""


@dataclass(slots=True)
class StoredBytes:
    """What the users hold for whom some projects count. A project without owners counts for nobody."""

    owners: dict[str, str] = field(default_factory=dict[str, str])
    by_user: Counter[str] = field(default_factory=Counter[str])


@dataclass(frozen=True, slots=True)
class StorageLimits:
    """How much the projects of a user may hold; None: no limit."""

    max_user_bytes: int | None

    def read_stored(self, db: Session, project_ids: list[str]) -> StoredBytes:
        """What is held now; nothing is read where there is no limit."""
        if self.max_user_bytes is None:
            return StoredBytes()
        rows = db.connection().execute(_STORED, {"projects": project_ids}).all()
        return StoredBytes({row[0]: row[1] for row in rows}, Counter({row[1]: int(row[2]) for row in rows}))

    def take_room(self, stored: StoredBytes, project_id: str, size: int) -> None:
        """Count so many bytes more of a project. Raises Invalid if there is no room for them."""
        owner = stored.owners.get(project_id)
        if self.max_user_bytes is None or owner is None:
            return
        held = stored.by_user[owner]
        if size > 0 and held + size > self.max_user_bytes:
            raise errors.Invalid.at(
                "file",
                "STORAGE_FULL",
                f"There is no room for this document: the projects of this project's owner hold {held:,} of the "
                f"{self.max_user_bytes:,} bytes allowed (MAX_STORED_BYTES_PER_USER). Delete documents to make room.",
            )
        stored.by_user[owner] += size


def read_user_bytes(user_id: str, db: Session) -> int:
    """What the projects hold that count for this user."""
    return int(db.connection().execute(_STORED_BY_USER, {"user": user_id}).scalar() or 0)
