"""Members of projects and their roles. For users without access, a project does not exist."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import errors
from app.accounts import audit
from app.accounts.audit import Kind
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.notifier import topics
from app.notifier.protocol import Notifier


class Role(StrEnum):
    """What a member may do: a VIEWER reads and chats, an EDITOR changes documents, an OWNER manages members."""

    VIEWER = "VIEWER"
    EDITOR = "EDITOR"
    OWNER = "OWNER"

    def is_at_least(self, minimum: "Role") -> bool:
        """Whether this role may do everything that `minimum` may."""
        order = list(Role)
        return order.index(self) >= order.index(minimum)


@dataclass(frozen=True, slots=True)
class Member:
    """A user and their role in a project."""

    user: models.User
    role: Role


# A user can be disabled while their request runs or their credential is cached, so each look-up checks that, too.
_ROLES = (
    select(models.ProjectMember.project_id, models.ProjectMember.role)
    .join(models.User, models.User.id == models.ProjectMember.user_id)
    .where(
        models.ProjectMember.user_id == bindparam("user"),
        models.ProjectMember.project_id.in_(bindparam("projects", expanding=True)),
        models.User.disabled_at.is_(None),
    )
)


def check_role(role: Role, minimum: Role) -> None:
    """Raises Forbidden for an insufficient role."""
    if not role.is_at_least(minimum):
        raise errors.Forbidden(f"This requires the role {minimum} in the project; yours is {role}.")


def may_see(session: models.ChatSession, user_id: str, role: Role | None) -> bool:
    """Whether a user with this role in the project may see a chat session: their own and shared ones."""
    return role is not None and (session.created_by == user_id or session.shared)


class Members:
    """Looks up, adds, changes and removes members, and records every change in the audit trail.

    `actor` is the id of the user who makes the change, or None for the operator at the command line.
    """

    def __init__(self, database: Database, notifier: Notifier) -> None:
        self._database = database
        self._notifier = notifier

    async def roles_by_project(self, user_id: str, project_ids: Sequence[str]) -> Mapping[str, Role]:
        """A user's role in each of these projects, without those they have no access to. One query.

        A disabled user has no role anywhere.
        """
        values = {"user": user_id, "projects": project_ids}
        rows = await self._database.run_read(lambda db: db.connection().execute(_ROLES, values).all())
        return {row.project_id: Role(row.role) for row in rows}

    async def members_by_project(self, project_ids: Sequence[str]) -> list[list[Member]]:
        """The members of each project: owners first, then by how long they have been members."""
        found: dict[str, list[Member]] = {project_id: [] for project_id in project_ids}
        statement = (
            select(models.ProjectMember, models.User)
            .join(models.User, models.User.id == models.ProjectMember.user_id)
            .where(models.ProjectMember.project_id.in_(project_ids))
            .order_by(models.ProjectMember.created_at, models.User.id)
        )
        async with self._database.read() as db:
            for row, user in await db.execute(statement):
                found[row.project_id].append(Member(user, Role(row.role)))
        ranks = list(Role)[::-1]
        return [sorted(found[id], key=lambda member: ranks.index(member.role)) for id in project_ids]

    async def set_member(
        self, project_id: str, user_id: str, role: Role, actor: str | None, address: str | None = None
    ) -> Member:
        """Make a user a member, or change their role.

        Raises NotFound for the project or the user, Conflict if no owner would be left.
        """
        async with self._database.begin(Lock.PROJECT_OWNERS) as db:
            if await db.get(models.Project, project_id) is None:
                raise errors.NotFound("project", project_id)
            user = await db.get(models.User, user_id)
            if user is None:
                raise errors.NotFound("user", user_id)
            row = await db.get(models.ProjectMember, (project_id, user_id), with_for_update=True)
            before = row.role if row is not None else None
            if row is None:
                db.add(models.ProjectMember(project_id=project_id, user_id=user_id, role=role.value))
            elif row.role != role:
                if row.role == Role.OWNER:
                    await _check_owner_left(db, project_id)
                row.role = role.value
            if before != role:
                audit.record_event(
                    db,
                    Kind.MEMBER_SET,
                    actor=actor,
                    subject=user_id,
                    project=project_id,
                    address=address,
                    details={"role": role.value, "before": before},
                )
        self._notifier.notify(topics.ACCESS)
        return Member(user, role)

    async def remove_member(self, project_id: str, user_id: str, actor: str | None, address: str | None = None) -> None:
        """Remove a user from a project. Raises NotFound if they are not a member, Conflict for the last owner."""
        async with self._database.begin(Lock.PROJECT_OWNERS) as db:
            row = await db.get(models.ProjectMember, (project_id, user_id), with_for_update=True)
            if row is None:
                raise errors.NotFound("member", user_id)
            if row.role == Role.OWNER:
                await _check_owner_left(db, project_id)
            await db.delete(row)
            audit.record_event(
                db,
                Kind.MEMBER_REMOVED,
                actor=actor,
                subject=user_id,
                project=project_id,
                address=address,
                details={"before": row.role},
            )
        self._notifier.notify(topics.ACCESS)


async def _check_owner_left(db: AsyncSession, project_id: str) -> None:
    """Raises Conflict if the project has only one owner."""
    owners = select(func.count()).where(
        models.ProjectMember.project_id == project_id, models.ProjectMember.role == Role.OWNER
    )
    if (await db.scalar(owners) or 0) <= 1:
        raise errors.Conflict("A project must have at least one owner; make someone else an owner first.")
