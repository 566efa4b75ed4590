"""Decide whose document is processed next, so that no user and no project occupies all workers."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from app import concurrency

# A document that takes longer yields once if another project is waiting; its project then ranks last for a while.
SLICE_SECONDS = 5.0
SLOW_SECONDS = 600.0
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ProjectQueue:
    """A project with `queued` documents; `running` of its documents are being processed, by any process.

    `waiting_since` is None if none is queued. `user_id` is its owner (None on a server with a single user), and
    `user_served` is when processing of a document of that user last started.
    """

    project_id: str
    running: int
    waiting_since: datetime | None
    queued: int
    user_id: str | None = None
    user_served: datetime | None = None

    @property
    def user_name(self) -> str:
        """The owner as a waiting party."""
        return self.user_id or ""


def next_project(
    queues: Iterable[ProjectQueue], busy: Mapping[str, int], slow: frozenset[str], workers: int
) -> str | None:
    """The project whose documents are processed next; None if none is waiting or may have another worker.

    Users take turns, and each user's projects take turns, so that having many projects gives no advantage. `busy` is
    the number of this process's workers per project, and `slow` are the projects with slow documents. Neither a project
    nor one of several users ever occupies all workers. While others are waiting, slow projects together leave at least
    two workers free, so that two slow projects cannot block the rest.
    """
    queues = list(queues)
    waiting = [queue for queue in queues if queue.waiting_since is not None and queue.queued]
    max_busy, max_slow = max(1, workers - 1), max(1, workers - 2)
    slow_busy = sum(count for project_id, count in busy.items() if project_id in slow)
    busy_users = Counter[str | None]()
    for queue in queues:
        busy_users[queue.user_id] += busy.get(queue.project_id, 0)
    project_ids = {queue.project_id for queue in waiting} | {project_id for project_id, count in busy.items() if count}

    def may_have_worker(queue: ProjectQueue) -> bool:
        if busy.get(queue.project_id, 0) >= max_busy:
            return False
        if queue.user_id is not None and busy_users[queue.user_id] >= max_busy:
            return False
        return queue.project_id not in slow or slow_busy < max_slow or project_ids == {queue.project_id}

    candidates = [queue for queue in waiting if may_have_worker(queue)]
    user = concurrency.next_served(_waiting_users(queues, candidates, slow))
    found = concurrency.next_served(
        concurrency.WaitingParty(queue.project_id, queue.running, queue.waiting_since, queue.project_id in slow)
        for queue in candidates
        if user is not None and queue.user_name == user.name
    )
    return found.name if found else None


def _waiting_users(
    queues: Iterable[ProjectQueue], candidates: Iterable[ProjectQueue], slow: frozenset[str]
) -> list[concurrency.WaitingParty]:
    """The users whose documents can be processed next; a user whose candidates are all slow ranks last."""
    running = Counter[str]()
    for queue in queues:
        running[queue.user_name] += queue.running
    by_user = defaultdict[str, list[ProjectQueue]](list)
    for queue in candidates:
        by_user[queue.user_name].append(queue)
    return [
        concurrency.WaitingParty(
            name, running[name], _waiting_since(own), all(queue.project_id in slow for queue in own)
        )
        for name, own in by_user.items()
    ]


def _waiting_since(queues: Sequence[ProjectQueue]) -> datetime:
    """Since when the user of these queues has waited; being served moves them to the back of the line."""
    oldest = min(queue.waiting_since for queue in queues if queue.waiting_since is not None)
    served = queues[0].user_served
    return oldest if served is None else max(oldest, served)


def waiting_time(queued_at: datetime, served: datetime | None, now: datetime) -> datetime:
    """Since when a project has waited; being served moves it to the back of the line.

    Times after `now` were recorded before the clock was set back, and count as long ago: otherwise they would put the
    project behind all others until the clock has passed them.
    """
    return max((time for time in (queued_at, served) if time is not None and time <= now), default=_LONG_AGO)


class SlowProjects:
    """Projects with slow documents, and documents that have yielded; forgotten after ten minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._projects: dict[str, float] = {}
        self._documents: dict[str, float] = {}

    def record_slow(self, project_id: str) -> None:
        """Record that a document of this project is slow."""
        self._projects[project_id] = self._clock() + SLOW_SECONDS

    def current_projects(self) -> frozenset[str]:
        """The projects that currently count as slow."""
        self._projects = self._drop_expired(self._projects)
        return frozenset(self._projects)

    def should_yield(self, document_id: str) -> bool:
        """Whether a document should yield its worker: only once; after that it may use its whole time limit."""
        self._documents = self._drop_expired(self._documents)
        if document_id in self._documents:
            return False
        self._documents[document_id] = self._clock() + SLOW_SECONDS
        return True

    def _drop_expired(self, until: dict[str, float]) -> dict[str, float]:
        now = self._clock()
        return {id: end for id, end in until.items() if end > now}


def without_queued(project_ids: Collection[str], queues: Iterable[ProjectQueue]) -> list[ProjectQueue]:
    """The queues, with nothing queued in these projects; their running documents still count for their users."""
    return [replace(queue, queued=0) if queue.project_id in project_ids else queue for queue in queues]
