"""What every notifier can do."""

from typing import Protocol

from app.notifier.subscription import TopicSubscription
from app.notifier.topics import Topic


class Notifier(Protocol):
    """Tells readers that something has changed. Whoever writes notifies after the commit; whoever reads looks then.

    A notification carries a topic and no data: the database has the data, and the reader decides what to look at.
    Several notifications before the next look count as one.
    """

    def notify(self, topic: Topic) -> None:
        """Wake all who have subscribed to a topic. Never waits and never fails."""
        ...

    def subscribe(self, *topics: Topic) -> TopicSubscription:
        """A subscription to these topics, from now until the end of its `with` block."""
        ...


class ProcessNotifier(Notifier, Protocol):
    """A notifier between processes."""

    def ensure_reachable(self) -> None:
        """Mend what keeps others from reaching this process; called now and then."""
        ...
