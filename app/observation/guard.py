"""Tell several observers what happens, and keep one that raises from harming what it observes."""

import logging

from app.observation.observer import Observer, Record

log = logging.getLogger(__name__)


class GuardedObservers:
    """Passes everything on to each observer, and logs what one raises."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def observe(self, record: Record) -> None:
        """Pass it on."""
        for observer in self._observers:
            try:
                observer.observe(record)
            except Exception:  # a metric that is lost harms nobody; an answer that is lost does
                log.exception("the observer failed")
