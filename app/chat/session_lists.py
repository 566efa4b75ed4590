"""Lists of chat sessions, in several orders: of a project, or of a user across projects.

A user sees their own sessions and the shared ones. Each of the two is read in order from an index of its own and then
merged, so that a page costs the same however many sessions others have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, exists, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.database import models, pages
from app.database.protocol import Database
from app.database.texts import contains_text

_ROW = models.ChatSession
_KEYS: dict[str, list[InstrumentedAttribute[Any]]] = {
    "CREATED": [_ROW.id],
    "LAST_ACTIVITY": [_ROW.last_activity_at, _ROW.id],
    "TITLE": [_ROW.title, _ROW.id],
}


@dataclass(frozen=True, slots=True)
class SessionCriteria:
    """Which sessions to list; a criterion that is None does not apply."""

    title_contains: str | None = None
    archived: bool | None = None
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class SessionOrder:
    """What sessions are sorted by: CREATED, LAST_ACTIVITY or TITLE; equal ones by when they were created."""

    field: str = "CREATED"
    descending: bool = False


class SessionLists:
    """Reads lists of sessions. `seen_by` is a member of the projects; None may see everything."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_by_project(
        self,
        project_ids: Sequence[str],
        criteria: SessionCriteria,
        order: SessionOrder,
        request: pages.PageRequest,
        seen_by: str | None,
    ) -> list[pages.Page[models.ChatSession]]:
        """A page of each project's sessions that the user may see."""
        matching, keys = _select_matching(criteria), _KEYS[order.field]

        def read(db: Session) -> list[pages.Page[models.ChatSession]]:
            if len(project_ids) == 1:
                of_project = matching.where(_ROW.project_id == project_ids[0])
                parts = _visible_parts(of_project, seen_by)
                return [pages.fetch_merged_page(db, parts, keys, request, descending=order.descending)]
            visible, parent = _select_visible(matching, seen_by), _ROW.project_id
            return pages.fetch_page_per_parent(
                db, visible, parent, project_ids, keys, request, descending=order.descending
            )

        return await self._database.run_read(read)

    async def count_by_project(
        self, project_ids: Sequence[str], criteria: SessionCriteria, seen_by: str | None
    ) -> list[int]:
        """How many sessions of each project the user may see."""
        visible, parent = _select_visible(_select_matching(criteria), seen_by), _ROW.project_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, visible, parent, project_ids))

    async def list_by_user(
        self,
        user_id: str,
        criteria: SessionCriteria,
        order: SessionOrder,
        request: pages.PageRequest,
        seen_by: str | None,
    ) -> pages.Page[models.ChatSession]:
        """A page of the sessions that a user created, in all projects that they see."""
        own, keys = _select_own(criteria, user_id, seen_by), _KEYS[order.field]
        return await self._database.run_read(
            lambda db: pages.fetch_page(db, own, keys, request, descending=order.descending)
        )

    async def count_by_user(self, user_id: str, criteria: SessionCriteria, seen_by: str | None) -> int:
        """How many sessions a user created, in all projects that they see."""
        own = _select_own(criteria, user_id, seen_by)
        return await self._database.run_read(lambda db: pages.count_rows(db, own))


def _select_matching(criteria: SessionCriteria) -> Select[models.ChatSession]:
    statement = select(_ROW)
    if criteria.title_contains is not None:
        statement = statement.where(contains_text(_ROW.title, criteria.title_contains))
    if criteria.archived is not None:
        statement = statement.where(_ROW.archived == criteria.archived)
    if criteria.pinned is not None:
        statement = statement.where(_ROW.pinned == criteria.pinned)
    return statement


def _select_visible(matching: Select[models.ChatSession], seen_by: str | None) -> Select[models.ChatSession]:
    """The sessions that a member of their projects may see: their own and shared ones."""
    return matching if seen_by is None else matching.where(or_(_ROW.created_by == seen_by, _ROW.shared))


def _visible_parts(matching: Select[models.ChatSession], seen_by: str | None) -> list[Select[models.ChatSession]]:
    """The visible sessions in two parts without a common session, each read in order from an index."""
    shared, unshared = matching.where(_ROW.shared == True), matching.where(_ROW.shared == False)  # noqa: E712
    if seen_by is None:
        return [shared, unshared]
    return [shared.where(_ROW.created_by != seen_by), matching.where(_ROW.created_by == seen_by)]


def _select_own(criteria: SessionCriteria, user_id: str, seen_by: str | None) -> Select[models.ChatSession]:
    own = _select_matching(criteria).where(_ROW.created_by == user_id)
    if seen_by is None:
        return own
    membership = models.ProjectMember
    return own.where(exists().where(membership.project_id == _ROW.project_id, membership.user_id == seen_by))
