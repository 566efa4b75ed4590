"""Create, change, delete and list projects, the tenants of a server."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from app import answer_options, errors, names, safe_text
from app.database import models, pages
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.notifier import topics
from app.notifier.protocol import Notifier

MAX_TEXT_LENGTH = 2000
MAX_RETENTION_DAYS = 36_500


class Projects:
    """The projects of this server."""

    def __init__(
        self,
        database: Database,
        notifier: Notifier,
        model_problem: Callable[[str], str | None],
    ) -> None:
        self._database = database
        self._notifier = notifier
        self._model_problem = model_problem

    async def create_project(
        self,
        name: str,
        description: str | None = None,
        local_providers_only: bool = False,
        *,
        owner_id: str | None = None,
    ) -> models.Project:
        """Create a project owned by `owner_id`. Raises Invalid, or Conflict if they see a project with that name."""
        project = models.Project(
            id=models.new_id(),
            name=names.normalize_name("name", name, "A project"),
            description=_check_text("description", description),
            local_providers_only=local_providers_only,
        )
        async with self._database.begin(Lock.PROJECT_NAMES) as db:
            await _check_name_is_free(db, project.name, project.id, owner_id)
            db.add(project)
            if owner_id is not None:
                await db.flush()
                db.add(models.ProjectMember(project_id=project.id, user_id=owner_id, role="OWNER"))
        return project

    async def update_project(
        self, project_id: str, changes: dict[str, Any], *, visible_to: str | None = None
    ) -> models.Project:
        """Set the fields in `changes`; None resets to the default. Raises NotFound, Invalid or Conflict.

        `answer_options` in turn holds changes to the project's default answer options, by name.
        """
        if "name" in changes:
            changes["name"] = names.normalize_name("name", str(changes["name"] or ""), "A project")
        options: answer_options.OptionLayer | None = changes.pop("answer_options", {})
        self._check_options(options or {})
        for field in ("description", "no_sources_text", "rejected_text"):
            if field in changes:
                changes[field] = _check_text(field, changes[field])
        _check_retention(changes.get("retention_days"))
        if changes.get("local_providers_only", True) is None:
            changes["local_providers_only"] = False
        async with self._database.begin(Lock.PROJECT_NAMES) as db:
            project = await db.get(models.Project, project_id)
            if project is None or project.deleted_at is not None:
                raise errors.NotFound("project", project_id)
            if "name" in changes:
                await _check_name_is_free(db, changes["name"], project_id, visible_to)
            for field, value in changes.items():
                setattr(project, field, value)
            project.answer_options = _merge_options(project.answer_options or {}, options)
        if "retention_days" in changes:
            self._notifier.notify(topics.RETENTION)
        return project

    def _check_options(self, options: answer_options.OptionLayer) -> None:
        issues = answer_options.find_issues(options, self._model_problem)
        if issues:
            raise errors.Invalid(
                *(errors.Issue(("answerDefaults", *issue.path), issue.code, issue.message) for issue in issues)
            )

    async def projects_by_ids(self, ids: list[str]) -> list[models.Project | None]:
        """The projects with these ids, in order; None where there is none."""
        rows = await self._database.run_read(lambda db: rows_by_ids(db, models.Project, ids))
        return [row if row is not None and row.deleted_at is None else None for row in rows]

    async def find_projects(self, name: str, *, visible_to: str | None = None) -> list[models.Project]:
        """The projects with this name, oldest first; with `visible_to`, only those that this user sees.

        Users who do not see each other's projects may give them the same name, and see several once they share them.
        """
        # Earlier versions stored names as they were typed.
        named = _select_visible(visible_to).where(models.Project.name.in_([safe_text.to_one_line(name), name.strip()]))
        return await self._database.run_read(lambda db: list(db.scalars(named.order_by(models.Project.id))))

    async def project_names(self) -> list[str]:
        """The first hundred names of projects, in alphabetical order."""
        names = _select_visible(None).with_only_columns(models.Project.name).order_by(models.Project.name).limit(100)
        return await self._database.run_read(lambda db: list(db.scalars(names)))

    async def list_projects(
        self, request: pages.PageRequest, *, visible_to: str | None = None
    ) -> pages.Page[models.Project]:
        """Projects by age; with `visible_to`, only those that this user sees."""
        visible = _select_visible(visible_to)
        return await self._database.run_read(lambda db: pages.fetch_page(db, visible, [models.Project.id], request))

    async def count_projects(self, *, visible_to: str | None = None) -> int:
        """How many projects there are; with `visible_to`, how many this user sees."""
        return await self._database.run_read(lambda db: pages.count_rows(db, _select_visible(visible_to)))


def _merge_options(
    current: answer_options.OptionLayer, changes: answer_options.OptionLayer | None
) -> dict[str, Any] | None:
    """A project's answer options after a change: None for an option resets it, None for `changes` resets all."""
    merged = {} if changes is None else {**current, **changes}
    return {name: value for name, value in merged.items() if value is not None} or None


def _select_visible(user_id: str | None) -> Select[models.Project]:
    """The projects that a user sees; None: all projects."""
    existing = select(models.Project).where(models.Project.deleted_at.is_(None))
    if user_id is None:
        return existing
    member = models.ProjectMember
    return existing.where(models.Project.id.in_(select(member.project_id).where(member.user_id == user_id)))


async def _check_name_is_free(db: AsyncSession, name: str, project_id: str, seen_by: str | None) -> None:
    """Raises Conflict if a project that the user sees has the name; other projects do not exist for them."""
    taken = _select_visible(seen_by).where(models.Project.name == name, models.Project.id != project_id)
    other = await db.scalar(taken.limit(1))
    if other is not None:
        raise errors.Conflict(f"There is already a project named “{name}”.", other)


def _check_retention(days: int | None) -> None:
    if days is not None and not 1 <= days <= MAX_RETENTION_DAYS:
        message = f"Chat sessions are kept for 1 to {MAX_RETENTION_DAYS:,} days; null keeps them forever."
        raise errors.Invalid.at("retentionDays", "OUT_OF_RANGE", message)


def _check_text(field: str, value: str | None) -> str | None:
    if value is not None and len(value) > MAX_TEXT_LENGTH:
        raise errors.Invalid.at(field, "TOO_LONG", f"At most {MAX_TEXT_LENGTH} characters are allowed here.")
    return value
