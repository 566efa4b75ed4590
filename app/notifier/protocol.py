"""Interfaces of notifiers."""

from typing import Protocol

from app.notifier.subscription import TopicSubscription
from app.notifier.topics import Topic


class Notifier(Protocol):
    """Tells readers that something has changed. Writers notify after their commit; readers then read the database.

    A notification carries a topic and no data: the data is in the database, and the reader decides what to read.
    Several notifications before the next `wait` count as one.
    """

    def notify(self, topic: Topic) -> None:
        """Wake all subscribers of a topic. Never waits and never fails."""
        ...

    def subscribe(self, *topics: Topic) -> TopicSubscription:
        """Subscribe to these topics, from now until the end of the subscription's `with` block."""
        ...


class ProcessNotifier(Notifier, Protocol):
    """A notifier between processes."""

    def ensure_reachable(self) -> None:
        """Repair whatever keeps other processes from reaching this one; called periodically."""
        ...
