"""Notifications within one process."""

from app.notifier.subscription import TopicSubscription
from app.notifier.topics import EVERYTHING, Topic


class LocalNotifier:
    """Wakes the subscriptions of its own process, all in one event loop."""

    def __init__(self) -> None:
        self._subscriptions: dict[Topic, set[TopicSubscription]] = {}

    def notify(self, topic: Topic) -> None:
        """Wake the subscribers of a topic; EVERYTHING wakes all subscribers."""
        for notified in list(self._subscriptions) if topic == EVERYTHING else [topic]:
            for subscription in self._subscriptions.get(notified, ()):
                subscription.wake(notified)

    def subscribe(self, *topics: Topic) -> TopicSubscription:
        """Subscribe to these topics."""
        return TopicSubscription(self._subscriptions, *topics)
