"""Keep an observer that raises from harming what it observes."""

import logging
from collections.abc import Callable
from typing import TypeVar

from app.observation.observer import AnswerLogWrite, AnswerRecord, DocumentRecord, ModelCall, Observer

Value = TypeVar("Value")

log = logging.getLogger(__name__)


class GuardedObserver:
    """Passes everything on, and logs what the observer raises."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def answer_ended(self, record: AnswerRecord) -> None:
        """Pass it on."""
        _notify(self._observer.answer_ended, record)

    def model_called(self, call: ModelCall) -> None:
        """Pass it on."""
        _notify(self._observer.model_called, call)

    def answer_log_written(self, write: AnswerLogWrite) -> None:
        """Pass it on."""
        _notify(self._observer.answer_log_written, write)

    def document_processed(self, record: DocumentRecord) -> None:
        """Pass it on."""
        _notify(self._observer.document_processed, record)


def _notify(method: Callable[[Value], None], value: Value) -> None:
    try:
        method(value)
    except Exception:  # a metric that is lost harms nobody; an answer that is lost does
        log.exception("the observer failed")
