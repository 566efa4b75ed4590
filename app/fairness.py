"""Who is served next where many wait: those of whom the fewest are being served, then those who have waited longest."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WaitingParty:
    """Somebody who waits: a project or a user. `since` orders those who have waited, the smaller the longer.

    `running` is how many of theirs are being served now.
    """

    name: str
    running: int
    since: Any
    late: bool = False
    """Whether they come after everybody who is not: what is done for them has taken too long before."""


def next_served(waiting: Iterable[WaitingParty]) -> WaitingParty | None:
    """Who is next; None when nobody waits."""
    return min(waiting, key=lambda one: (one.late, one.running, one.since, one.name), default=None)
