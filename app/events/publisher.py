"""The interface of publishers, which deliver events to destinations, and how deliveries fail."""

from dataclasses import dataclass
from typing import Any, Protocol


class EventRefused(Exception):
    """The destination works, but has refused this event for now."""


class DestinationDown(Exception):
    """The destination accepts no events at the moment; it may have said for how many seconds."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class RetryRule:
    """How long to wait after failures in a row: `first` seconds, then `factor` times as long, up to `longest`.

    An event that was refused `max_attempts` times is given up; None never gives up.
    """

    first: float
    factor: float
    longest: float
    max_attempts: int | None = None

    def pause_after(self, failures: int) -> float:
        """Seconds to wait after this many failures in a row, at least one."""
        return min(self.longest, self.first * self.factor ** min(failures - 1, 30))


class Publisher(Protocol):
    """One destination. `key` names it in the database, `label` in metrics, `description` in logs and health."""

    key: str
    label: str
    description: str
    when_refused: RetryRule
    when_down: RetryRule

    async def publish(self, event: dict[str, Any]) -> None:
        """Deliver an event; returns once the destination has it. Raises EventRefused or DestinationDown."""
        ...

    async def close(self) -> None:
        """Close connections; the next `publish` opens them again."""
        ...
