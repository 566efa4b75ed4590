"""Export or erase everything that is stored about a user.

A user's are: the user itself, password, identities, access tokens, sign-ins, memberships, memories, and the chat
sessions they made with all messages; and whatever other table has a column that refers to a user and goes with them.
Documents are the project's and stay. Of the audit trail stays that something happened, under an id that points nowhere.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Table, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.accounts import audit
from app.accounts.audit import Kind
from app.accounts.credential_cache import CredentialCache
from app.accounts.members import Role
from app.accounts.sign_ins.store import SignIns
from app.database import models
from app.database.engine import Database
from app.database.locks import Lock

_SECRET = {"password_hash", "token_hash"}
# They may be in the database or elsewhere.
_ASKED_FOR = {"sign_ins"}

Rows = list[dict[str, Any]]


class PersonalData:
    """What is kept about a user, to hand out and to erase."""

    def __init__(self, database: Database, sign_ins: SignIns, recent: CredentialCache) -> None:
        self._database = database
        self._sign_ins = sign_ins
        self._recent = recent

    async def export(self, user_id: str, actor: str | None = None, address: str | None = None) -> dict[str, Rows]:
        """All rows about a user by table, secrets left out. Raises NotFound or Unavailable."""
        signed_in = await self._sign_ins.sign_ins_of_user(user_id)
        async with self._database.read() as db:
            found = {"users": await _rows(db, models.User.__table__, "id", [user_id])}
            if not found["users"]:
                raise errors.NotFound("user", user_id)
            for table, column in _owned():
                if table.name not in _ASKED_FOR:
                    found.setdefault(table.name, []).extend(await _rows(db, table, column, [user_id]))
            sessions = [row["id"] for row in found["chat_sessions"]]
            found["messages"] = await _rows(db, models.Message.__table__, "session_id", sessions)
            found["audit_events"] = await _audit(db, user_id)
        found["sign_ins"] = [_plain(asdict(sign_in)) for sign_in in signed_in]
        async with self._database.begin() as db:
            audit.note(db, Kind.DATA_EXPORTED, actor=actor, subject=user_id, address=address)
        return found

    async def erase(self, user_id: str, actor: str | None = None) -> None:
        """Remove the user and all that is theirs. Raises NotFound, or Conflict while a project has no other owner."""
        async with self._database.begin(Lock.PROJECT_OWNERS) as db:
            user = await db.get(models.User, user_id)
            if user is None:
                raise errors.NotFound("user", user_id)
            await _check_projects_keep_owners(db, user_id)
            await audit.forget(db, user_id)
            await db.delete(user)
            audit.note(db, Kind.USER_ERASED, actor=actor, subject=user_id)
        self._recent.forget(user_id)
        # They belong to nobody already; this only sweeps.
        with suppress(errors.Unavailable):
            await self._sign_ins.close_all(user_id)


def _owned() -> Iterable[tuple[Table, str]]:
    """Tables whose rows go with a user, and the column that says whose they are."""
    for table in models.Base.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == models.User.__tablename__ and key.ondelete == "CASCADE":
                yield table, key.parent.name


async def _rows(db: AsyncSession, table: Any, column: str, values: list[str]) -> Rows:
    shown = [shown for shown in table.columns if shown.name not in _SECRET]
    rows = await db.execute(select(*shown).where(table.columns[column].in_(values)).order_by(*table.primary_key))
    return [_plain(row) for row in rows.mappings()]


async def _audit(db: AsyncSession, user_id: str) -> Rows:
    """What the user did and what was done to them; where others did it from is not theirs to know."""
    table = models.AuditEvent
    rows = await db.scalars(
        select(table).where(or_(table.actor_id == user_id, table.subject_id == user_id)).order_by(table.id)
    )
    return [
        {
            "id": row.id,
            "kind": row.kind,
            "actor_id": row.actor_id,
            "subject_id": row.subject_id,
            "project_id": row.project_id,
            "address": row.address if row.actor_id == user_id else None,
            "details": row.details,
            "created_at": row.created_at.isoformat(),
        }
        for row in rows
    ]


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}


async def _check_projects_keep_owners(db: AsyncSession, user_id: str) -> None:
    """Raises Conflict with the names of the projects that only this user owns."""
    member = models.ProjectMember
    others = select(member.project_id).where(member.role == Role.OWNER, member.user_id != user_id)
    names = await db.scalars(
        select(models.Project.name)
        .join(member, member.project_id == models.Project.id)
        .where(member.user_id == user_id, member.role == Role.OWNER, models.Project.id.not_in(others))
        .order_by(models.Project.name)
    )
    if alone := list(names):
        raise errors.Conflict(
            f"Only this user owns {', '.join(f'“{name}”' for name in alone)}; "
            "make someone else an owner, or delete the project first."
        )
