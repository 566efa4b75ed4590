"""Subscriptions to topics."""

import asyncio
from types import TracebackType

from app.notifier.topics import Topic


class TopicSubscription:
    """Collects notifications from its creation on, so that none is lost between reading and the next `wait`.

    `subscriptions` is the notifier's registry; the subscription removes itself at the end of its `with` block.
    """

    def __init__(self, subscriptions: dict[Topic, set["TopicSubscription"]], *topics: Topic) -> None:
        self._subscriptions = subscriptions
        self._topics: set[Topic] = set()
        self._notified: set[Topic] = set()
        self._event = asyncio.Event()
        for topic in topics:
            self.add(topic)

    def __enter__(self) -> "TopicSubscription":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for topic in list(self._topics):
            self.discard(topic)

    def add(self, topic: Topic) -> None:
        """Subscribe to another topic."""
        self._topics.add(topic)
        self._subscriptions.setdefault(topic, set()).add(self)

    def discard(self, topic: Topic) -> None:
        """Unsubscribe from a topic."""
        self._topics.discard(topic)
        subscribed = self._subscriptions.get(topic, set())
        subscribed.discard(self)
        if not subscribed:
            self._subscriptions.pop(topic, None)

    def wake(self, topic: Topic) -> None:
        """Record a notification and wake the waiter; called by the notifier."""
        self._notified.add(topic)
        self._event.set()

    async def wait(self) -> set[Topic]:
        """Wait for a notification, unless there is one already; returns the topics notified since the last `wait`."""
        await self._event.wait()
        self._event.clear()
        notified, self._notified = self._notified, set()
        return notified
