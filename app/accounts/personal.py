"""Export or erase everything that is stored about a user.

That is: the user, password, identities, access tokens, sign-ins, memberships, memories, the chat sessions they created
with all messages, and the rows of every other table with a cascading reference to the user. Documents belong to the
project and stay. Audit events stay too, without details, and with an id that belongs to nobody.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Table, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.accounts import audit
from app.accounts.audit import Kind
from app.accounts.credential_cache import CredentialCache
from app.accounts.members import Role
from app.accounts.sign_ins.store import SignIns
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import delete_sessions
from app.notifier import topics
from app.notifier.protocol import Notifier

_SECRET = {"password_hash", "token_hash"}
# Read through the store of sign-ins, which may be in Redis.
_READ_FROM_STORE = {"sign_ins"}

Rows = list[dict[str, Any]]


class PersonalData:
    """Exports and erases the data of a user."""

    def __init__(
        self, database: Database, notifier: Notifier, sign_ins: SignIns, credential_cache: CredentialCache
    ) -> None:
        self._database = database
        self._notifier = notifier
        self._sign_ins = sign_ins
        self._credential_cache = credential_cache

    async def export_user(self, user_id: str) -> dict[str, Rows]:
        """All rows about a user by table, without secrets. Raises NotFound or Unavailable."""
        signed_in = await self._sign_ins.sign_ins_of_user(user_id)
        async with self._database.read() as db:
            found = {"users": await _select_rows(db, models.User.__table__, "id", user_id)}
            if not found["users"]:
                raise errors.NotFound("user", user_id)
            for table, column in _user_tables():
                if table.name not in _READ_FROM_STORE:
                    found.setdefault(table.name, []).extend(await _select_rows(db, table, column, user_id))
            # Not a list of their ids: a statement can have fewer values than a program has chat sessions.
            sessions = select(models.ChatSession.id).where(models.ChatSession.created_by == user_id)
            found["messages"] = await _select_rows(db, models.Message.__table__, "session_id", sessions)
            found["audit_events"] = await _audit_rows(db, user_id)
        found["sign_ins"] = [_to_json_row(asdict(sign_in)) for sign_in in signed_in]
        async with self._database.begin() as db:
            audit.record_event(db, Kind.DATA_EXPORTED, subject=user_id)
        return found

    async def erase_user(self, user_id: str) -> None:
        """Delete the user and all their data. Raises NotFound, or Conflict if a project has no other owner.

        Their chat sessions are deleted first, in small transactions; repeating an interrupted erasure completes it.
        """
        async with self._database.read() as db:
            await _require_erasable(db, user_id)
        own = models.ChatSession.created_by == user_id
        while await self._database.run_write(lambda db: delete_sessions(db, own)):
            pass
        async with self._database.begin(Lock.PROJECT_OWNERS) as db:
            user = await _require_erasable(db, user_id)
            await audit.erase_details(db, user_id)
            await db.delete(user)
            audit.record_event(db, Kind.USER_ERASED, subject=user_id)
        self._credential_cache.forget_user(user_id)
        self._notifier.notify(topics.ANSWERS_ENDED)  # those of the user's chat sessions, which are gone
        # They are invalid already; this only cleans up.
        with suppress(errors.Unavailable):
            await self._sign_ins.close_all(user_id)


def _user_tables() -> Iterable[tuple[Table, str]]:
    """Tables whose rows are deleted with a user, and the column that refers to the user."""
    for table in models.Base.metadata.sorted_tables:
        for key in table.foreign_keys:
            if key.column.table.name == models.User.__tablename__ and key.ondelete == "CASCADE":
                yield table, key.parent.name


async def _select_rows(db: AsyncSession, table: Any, column: str, value: str | Select[str]) -> Rows:
    """The rows with this value, or any of those selected, in a column."""
    shown = [shown for shown in table.columns if shown.name not in _SECRET]
    matching = table.columns[column].in_([value] if isinstance(value, str) else value)
    rows = await db.execute(select(*shown).where(matching).order_by(*table.primary_key))
    return [_to_json_row(row) for row in rows.mappings()]


async def _audit_rows(db: AsyncSession, user_id: str) -> Rows:
    """Events by or about the user, without the addresses of others."""
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


def _to_json_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): value.isoformat() if isinstance(value, datetime) else value for key, value in row.items()}


async def _require_erasable(db: AsyncSession, user_id: str) -> models.User:
    """Raises NotFound, or Conflict with the names of the projects that only this user owns."""
    user = await db.get(models.User, user_id)
    if user is None:
        raise errors.NotFound("user", user_id)
    await _check_projects_keep_owners(db, user_id)
    return user


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
