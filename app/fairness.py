"""Choose who is served next: the waiting party with the fewest running jobs, then the one that has waited longest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WaitingParty:
    """A project or user that waits to be served. A smaller `since` means a longer wait.

    `running` is the number of their jobs being served now.
    """

    name: str
    running: int
    since: Any
    late: bool = False
    """Whether they are served after all others, because their jobs have taken too long before."""


def next_served(waiting: Iterable[WaitingParty]) -> WaitingParty | None:
    """The party to serve next; None if nobody waits."""
    return min(waiting, key=lambda one: (one.late, one.running, one.since, one.name), default=None)
