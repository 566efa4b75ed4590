"""End streams whose users lose access: one look a second for all who follow anything here."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import or_, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.database import models
from app.database.engine import Database

log = logging.getLogger(__name__)

T = TypeVar("T")

_LOOK_SECONDS = 1.0
# Pairs in one statement: the database bounds how many values it may have.
_AT_ONCE = 200

Check = Callable[[], Awaitable[None]]
"""Raises Unauthenticated once what somebody showed is good no more, Unavailable when that cannot be told now."""


async def valid_for_ever() -> None:
    """The check of a follower whose credential does not end."""


@dataclass(eq=False)
class Follower:
    """A user who follows something of a project, of a session perhaps. `lost`: they may not any more."""

    user_id: str
    project_id: str
    session_id: str | None
    check: Check
    lost: bool = False
    _reason: errors.Unauthenticated | None = None
    _waiting: asyncio.Timeout | None = None

    def lose(self, reason: errors.Unauthenticated | None = None) -> None:
        """They may not any more: who waits for the next thing is woken, for none may come for hours."""
        if self.lost:
            return
        self.lost, self._reason = True, reason
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(asyncio.get_running_loop().time())

    async def yield_while_visible(self, source: AsyncGenerator[T], kind: str, id: str) -> AsyncGenerator[T]:
        """What the source gives, for as long as they may.

        Then NotFound, as for what is not there; or Unauthenticated.
        """
        async with aclosing(source):
            while True:
                try:
                    async with asyncio.timeout(None) as self._waiting:
                        happened = await anext(source)
                except StopAsyncIteration:
                    return
                except TimeoutError as error:
                    if not self.lost:
                        raise
                    raise self._reason or errors.NotFound(kind, id) from error
                finally:
                    self._waiting = None
                if self.lost:
                    raise self._reason or errors.NotFound(kind, id)
                yield happened


class FollowerRegistry:
    """Everybody who follows something in this process and has to be a member for it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watched: set[Follower] = set()

    @contextmanager
    def project(self, user_id: str | None, project_id: str, check: Check) -> Generator[Follower]:
        """For as long as somebody follows a project; None may see everything."""
        with self._watch(user_id, Follower(user_id or "", project_id, None, check)) as watched:
            yield watched

    @contextmanager
    def session(self, user_id: str | None, project_id: str, session_id: str, check: Check) -> Generator[Follower]:
        """For as long as somebody follows an answer of a session; None may see everything."""
        with self._watch(user_id, Follower(user_id or "", project_id, session_id, check)) as watched:
            yield watched

    @contextmanager
    def _watch(self, user_id: str | None, watched: Follower) -> Generator[Follower]:
        if user_id is None:
            yield watched
            return
        self._watched.add(watched)
        try:
            yield watched
        finally:
            self._watched.discard(watched)

    async def run(self) -> None:
        """Look again and again, for as long as the server runs."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                await self.look()
            except (errors.Unavailable, SQLAlchemyError) as error:
                log.warning("cannot check the access of subscribers: %s", error)

    async def look(self) -> None:
        """Find those who may not any more: no members, disabled, signed out, or the session not theirs nor shared."""
        watched = list(self._watched)
        for start in range(0, len(watched), _AT_ONCE):
            await self._look(watched[start : start + _AT_ONCE])
        for one in watched:
            try:
                await one.check()
            except errors.Unauthenticated as error:
                one.lose(error)

    async def _look(self, watched: Sequence[Follower]) -> None:
        member, user, session = models.ProjectMember, models.User, models.ChatSession
        pairs = {(one.user_id, one.project_id) for one in watched}
        members = (
            select(member.user_id, member.project_id)
            .join(user, user.id == member.user_id)
            .where(tuple_(member.user_id, member.project_id).in_(pairs), user.disabled_at.is_(None))
        )
        ids = {one.session_id for one in watched if one.session_id is not None}
        users = {one.user_id for one in watched}
        seen = select(session.id, session.created_by, session.shared).where(
            session.id.in_(ids), or_(session.shared, session.created_by.in_(users))
        )
        async with self._database.read() as db:
            there = {(row.user_id, row.project_id) for row in await db.execute(members)}
            sessions = {row.id: row for row in await db.execute(seen)} if ids else {}
        for one in watched:
            found = sessions.get(one.session_id) if one.session_id is not None else None
            sees = one.session_id is None or (found is not None and (found.shared or found.created_by == one.user_id))
            if (one.user_id, one.project_id) not in there or not sees:
                one.lose()
