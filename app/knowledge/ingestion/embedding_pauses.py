"""Which projects wait because their embedding model does not answer, and for how long; pure but for the clock.

A project whose documents could not be embedded is left alone for a while: at first a second, then longer and longer,
so that a server that is down is asked rarely and its documents are not read again for nothing. Where the model answers
for one document and again and again not for another, it is the document.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

# Seconds: the first wait, the longest of our own, and the longest that a server's Retry-After is believed.
FIRST_PAUSE, LONGEST_PAUSE, LONGEST_RETRY_AFTER = 1.0, 30.0, 300.0
MAX_FAILURES = 5
"""How often a document may fail without getting on while its model answers for others."""


@dataclass
class _Hold:
    rounds: int
    until: float
    reason: str


class EmbeddingPauses:
    """Projects that wait. `clock` gives seconds; `spread` a factor that keeps projects from coming back at once."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        spread: Callable[[], float] = lambda: random.uniform(0.75, 1.25),  # noqa: S311 - keeps tries apart
    ) -> None:
        self._clock = clock
        self._spread = spread
        self._holds: dict[str, _Hold] = {}
        self._failures: dict[str, tuple[int, int]] = {}

    def pause_project(self, project_id: str, reason: str, retry_after: float | None = None) -> float:
        """Leave a project alone; for how many seconds."""
        rounds = self._holds[project_id].rounds + 1 if project_id in self._holds else 1
        seconds = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(rounds - 1, 10)) * self._spread()
        if retry_after is not None:
            seconds = max(seconds, min(retry_after, LONGEST_RETRY_AFTER))
        self._holds[project_id] = _Hold(rounds, self._clock() + seconds, reason)
        return seconds

    def resume_project(self, project_id: str) -> None:
        """Its documents could all be embedded."""
        self._holds.pop(project_id, None)

    def paused_projects(self) -> list[str]:
        """The projects that wait now."""
        now = self._clock()
        return [project_id for project_id, hold in self._holds.items() if hold.until > now]

    def pause_reason(self, project_id: str | None = None) -> str | None:
        """Why a project waits, or any."""
        if project_id is None:
            return next((hold.reason for hold in self._holds.values()), None)
        hold = self._holds.get(project_id)
        return hold.reason if hold else None

    def record_failure(self, document_id: str, done: int) -> bool:
        """Note that a document failed where others do not, with so many texts done; whether that was once too often.

        One that gets on from time to time is not to blame.
        """
        count, before = self._failures.pop(document_id, (0, 0))
        count = 1 if done > before else count + 1
        if count >= MAX_FAILURES:
            return True
        self._failures[document_id] = (count, done)
        return False
