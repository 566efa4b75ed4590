"""End subscriptions whose users lose access to what they follow.

Every change that may revoke access is notified; then all followers in this process are checked together. A credential
that expires is checked again at that time. While nothing changes, nothing is read. A follower that cannot be checked,
because the database or the store of its credential is unavailable, is checked again soon; the others do not wait.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar, cast

from sqlalchemy import or_, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.database import models
from app.database.protocol import Database
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.observation.outages import OutageLog

log = logging.getLogger(__name__)

T = TypeVar("T")

# How long to wait after a check, so that simultaneous followers and changes are handled together.
_GATHER_SECONDS = 0.1
# How long to wait before checking a follower again that could not be checked.
_RETRY_SECONDS = 1.0
# Credentials checked at once: looking one up can take a while.
_CREDENTIALS_AT_ONCE = 4
# The shortest time between two checks of a credential, whatever the clocks say.
_SHORTEST_RECHECK_SECONDS = 0.25
# The database limits the number of values in one statement.
_PAIRS_PER_QUERY = 200
# Wakes only the registry's own loop, because a follower must be checked.
_CHECK_REQUESTED = topics.Topic("check-requested")

CredentialCheck = Callable[[], Awaitable[datetime | None]]
"""Raises Unauthenticated if a credential is no longer valid, Unavailable if that cannot be determined.

Returns when to check again even if nothing is notified; None for never.
"""

ResultSlot = AbstractAsyncContextManager[object]
"""Held while a result is produced and sent. Several subscriptions may share a few of them."""


async def never_expires() -> None:
    """The check of a credential that never expires."""


@dataclass(eq=False)
class Follower:
    """A user who follows something in a project or in one of its chat sessions, or an answer outside projects."""

    user_id: str
    project_id: str | None
    session_id: str | None
    check_credential: CredentialCheck
    has_lost_access: bool = False
    timer: asyncio.TimerHandle | None = None
    _reason: errors.Unauthenticated | None = None
    # The task that waits for the next event, and whether it was cancelled because access was lost.
    _waiting: "asyncio.Task[object] | None" = None
    _is_cut: bool = False

    def end_access(self, reason: errors.Unauthenticated | None = None) -> None:
        """End the subscription, even while it waits for an event that may not come for hours."""
        if self.has_lost_access:
            return
        self.has_lost_access, self._reason = True, reason
        if self._waiting is not None:
            self._is_cut = True
            self._waiting.cancel()

    def stop_timer(self) -> None:
        """Cancel the next check of the credential."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    async def yield_while_visible(
        self, source: AsyncGenerator[T], kind: str, id: str, slot: ResultSlot | None = None
    ) -> AsyncGenerator[T]:
        """Yield from `source` until access is lost; then raise NotFound, or the reason if the credential ended.

        With a `slot`, the credential is checked for each event, which is yielded while the slot is held.
        """
        # Waits are ended the way `asyncio.timeout` does it: a timeout for each takes a tenth of an event's time.
        loop = asyncio.get_running_loop()
        async with aclosing(source):
            while True:
                self.require_access(kind, id)  # it may have ended while the previous event was being sent
                # The loop is passed, because looking it up takes a system call.
                task = self._waiting = cast("asyncio.Task[object]", asyncio.current_task(loop))
                cancelled = task.cancelling()
                try:
                    event = await anext(source)
                except StopAsyncIteration:
                    return
                except asyncio.CancelledError as error:
                    if not self._is_cut or task.cancelling() > cancelled + 1:  # it was cancelled from elsewhere, too
                        raise
                    raise self._reason or errors.NotFound(kind, id) from error
                finally:
                    self._waiting = None
                    if self._is_cut:
                        self._is_cut = False
                        task.uncancel()
                self.require_access(kind, id)
                if slot is None:
                    yield event
                    continue
                await self.check_credential()
                async with slot:
                    self.require_access(kind, id)  # it may have ended while others held the slot
                    yield event

    def require_access(self, kind: str, id: str) -> None:
        """Raises NotFound once access is lost, or the reason if the credential ended."""
        if self.has_lost_access:
            raise self._reason or errors.NotFound(kind, id)


class FollowerRegistry:
    """All followers in this process whose access depends on a membership.

    `forget_credentials` empties the cache of valid credentials, because another process may have revoked one.
    """

    def __init__(self, database: Database, notifier: Notifier, forget_credentials: Callable[[], None]) -> None:
        self._database = database
        self._forget_credentials = forget_credentials
        self._changes = notifier.subscribe(topics.ACCESS)
        self._followers: set[Follower] = set()
        self._unchecked: set[Follower] = set()
        self._failing: set[Follower] = set()
        self._outages = OutageLog(log, "cannot check the access of subscribers", "subscribers' access is checked again")

    @contextmanager
    def follow(
        self, user_id: str | None, project_id: str | None, check: CredentialCheck, session_id: str | None = None
    ) -> Generator[Follower]:
        """Register a user who follows a project, or an answer in one of its chat sessions.

        Without a project, only the end of the credential ends the subscription. For a user who may see everything,
        whose `user_id` is None, nothing ends it.
        """
        follower = Follower(user_id or "", project_id, session_id, check)
        if user_id is None:
            yield follower
            return
        self._followers.add(follower)
        # Access may have been lost after the request was authorized and before this.
        self._request_check(follower)
        try:
            yield follower
        finally:
            self._followers.discard(follower)
            self._unchecked.discard(follower)
            self._failing.discard(follower)
            follower.stop_timer()

    def _request_check(self, *followers: Follower) -> None:
        self._unchecked.update(followers)
        self._changes.wake(_CHECK_REQUESTED)

    async def run(self) -> None:
        """Check followers whenever necessary, for as long as the server runs."""
        self._request_check(*self._followers)  # after a restart, those whose check failed
        while True:
            if topics.ACCESS in await self._changes.wait():
                self._forget_credentials()
                self._unchecked |= self._followers
            unchecked, self._unchecked = self._unchecked, set()
            await self._check(unchecked)
            if not self._failing:
                self._outages.report_success()
            await asyncio.sleep(_GATHER_SECONDS)

    async def _check(self, followers: Collection[Follower]) -> None:
        """End the access of non-members and disabled users, to unshared sessions, and with invalid credentials."""
        self._failing.difference_update(followers)
        checked = [follower for follower in followers if not follower.has_lost_access]
        for start in range(0, len(checked), _PAIRS_PER_QUERY):
            some = checked[start : start + _PAIRS_PER_QUERY]
            with self._note_failure(some):
                await self._check_visibility(some)
        slots = asyncio.Semaphore(_CREDENTIALS_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            for follower in checked:
                group.create_task(self._check_credential(follower, slots))

    async def _check_credential(self, follower: Follower, slots: asyncio.Semaphore) -> None:
        recheck_at = None
        async with slots:
            with self._note_failure([follower]):
                try:
                    recheck_at = await follower.check_credential()
                except errors.Unauthenticated as error:
                    follower.end_access(error)
        self._schedule_check(follower, recheck_at)

    @contextmanager
    def _note_failure(self, followers: Sequence[Follower]) -> Generator[None]:
        """Note it if these followers cannot be checked."""
        try:
            yield
        except (errors.Unavailable, SQLAlchemyError) as error:
            self._outages.report_failure(error)
            self._failing.update(followers)

    def _schedule_check(self, follower: Follower, recheck_at: datetime | None) -> None:
        follower.stop_timer()
        if follower.has_lost_access or follower not in self._followers:
            self._failing.discard(follower)
            return
        if follower in self._failing:
            seconds = _RETRY_SECONDS
        elif recheck_at is not None:
            seconds = max(_SHORTEST_RECHECK_SECONDS, (recheck_at - models.now()).total_seconds())
        else:
            return
        follower.timer = asyncio.get_running_loop().call_later(seconds, self._request_check, follower)

    async def _check_visibility(self, followers: Sequence[Follower]) -> None:
        member, user, session = models.ProjectMember, models.User, models.ChatSession
        pairs = {(follower.user_id, follower.project_id) for follower in followers if follower.project_id is not None}
        memberships = (
            select(member.user_id, member.project_id)
            .join(user, user.id == member.user_id)
            .where(tuple_(member.user_id, member.project_id).in_(pairs), user.disabled_at.is_(None))
        )
        session_ids = {follower.session_id for follower in followers if follower.session_id is not None}
        user_ids = {follower.user_id for follower in followers}
        visible = select(session.id, session.created_by, session.shared).where(
            session.id.in_(session_ids), or_(session.shared, session.created_by.in_(user_ids))
        )
        async with self._database.read() as db:
            members = {(row.user_id, row.project_id) for row in await db.execute(memberships)}
            sessions = {row.id: row for row in await db.execute(visible)} if session_ids else {}
        for follower in followers:
            row = sessions.get(follower.session_id) if follower.session_id is not None else None
            sees_session = follower.session_id is None or (
                row is not None and (row.shared or row.created_by == follower.user_id)
            )
            if follower.project_id is not None and (
                (follower.user_id, follower.project_id) not in members or not sees_session
            ):
                follower.end_access()
