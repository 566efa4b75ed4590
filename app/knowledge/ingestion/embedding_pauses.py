"""Pause projects whose embedding model does not respond. Pure but for the clock.

Pauses grow from one second, so that a server that is down is rarely called and documents are not parsed again in vain.
If the model embeds other documents but repeatedly fails on one, that document is the cause.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

# Seconds: the first pause, the longest without a Retry-After header, and the longest Retry-After that is respected.
FIRST_PAUSE, LONGEST_PAUSE, LONGEST_RETRY_AFTER = 1.0, 30.0, 300.0
MAX_FAILURES = 5
"""How often a document may fail without progress while its model embeds others."""


@dataclass
class _Pause:
    rounds: int
    until: float
    reason: str
    space_id: str | None


class EmbeddingPauses:
    """The paused projects. `spread` is a random factor that keeps projects from resuming all at once."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        spread: Callable[[], float] = lambda: random.uniform(0.75, 1.25),  # noqa: S311 - keeps retries apart
    ) -> None:
        self._clock = clock
        self._spread = spread
        self._pauses: dict[str, _Pause] = {}
        self._failures: dict[str, tuple[int, int]] = {}
        self._last_listed = -math.inf

    def pause_project(
        self, project_id: str, reason: str, retry_after: float | None = None, space_id: str | None = None
    ) -> float:
        """Pause a project; returns the seconds. `space_id`: its embedding space, if it has one."""
        rounds = self._pauses[project_id].rounds + 1 if project_id in self._pauses else 1
        seconds = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(rounds - 1, 10)) * self._spread()
        if retry_after is not None:
            seconds = max(seconds, min(retry_after, LONGEST_RETRY_AFTER))
        self._pauses[project_id] = _Pause(rounds, self._clock() + seconds, reason, space_id)
        return seconds

    def resume_project(self, project_id: str) -> None:
        """End a project's pause."""
        self._pauses.pop(project_id, None)

    def paused_projects(self) -> dict[str, str | None]:
        """The projects that are paused now, each with the embedding space that it had when it was paused."""
        now = self._last_listed = self._clock()
        return {project_id: pause.space_id for project_id, pause in self._pauses.items() if pause.until > now}

    def seconds_until_resume(self) -> float | None:
        """How long until the next project resumes; None if none is paused.

        A pause that has ended since the last call of `paused_projects` counts as well: nobody has reacted to its end.
        """
        now = self._clock()
        ends = [pause.until for pause in self._pauses.values() if pause.until > self._last_listed]
        return max(0.0, min(ends) - now) if ends else None

    def pause_reason(self, project_id: str) -> str | None:
        """Why this project is paused; a project stays paused until its model has responded."""
        pause = self._pauses.get(project_id)
        return pause.reason if pause else None

    def record_failure(self, document_id: str, done: int) -> bool:
        """Count a failure of a document while others succeed; returns whether there have been too many.

        The count restarts if the document has made progress since the last failure.
        """
        count, before = self._failures.pop(document_id, (0, 0))
        count = 1 if done > before else count + 1
        if count >= MAX_FAILURES:
            return True
        self._failures[document_id] = (count, done)
        return False
