"""Tell several observers what happens, and keep one that raises from harming what it observes."""

import logging
from collections.abc import Callable
from typing import TypeVar

from app.observation.observer import (
    AnswerLogWrite,
    AnswerRecord,
    DocumentRecord,
    EventDeliveryRecord,
    ModelCall,
    Observer,
    RequestRecord,
)

Value = TypeVar("Value")

log = logging.getLogger(__name__)


class GuardedObservers:
    """Passes everything on to each observer, and logs what one raises."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def answer_ended(self, record: AnswerRecord) -> None:
        """Pass it on."""
        for observer in self._observers:
            _notify(observer.answer_ended, record)

    def model_called(self, call: ModelCall) -> None:
        """Pass it on."""
        for observer in self._observers:
            _notify(observer.model_called, call)

    def answer_log_written(self, write: AnswerLogWrite) -> None:
        """Pass it on."""
        for observer in self._observers:
            _notify(observer.answer_log_written, write)

    def document_processed(self, record: DocumentRecord) -> None:
        """Pass it on."""
        for observer in self._observers:
            _notify(observer.document_processed, record)

    def request_ended(self, record: RequestRecord) -> None:
        """Pass it on."""
        for observer in self._observers:
            _notify(observer.request_ended, record)

    def events_delivered(self, record: EventDeliveryRecord) -> None:
        """Pass it on."""
        for observer in self._observers:
            _notify(observer.events_delivered, record)


def _notify(method: Callable[[Value], None], value: Value) -> None:
    try:
        method(value)
    except Exception:  # a metric that is lost harms nobody; an answer that is lost does
        log.exception("the observer failed")
