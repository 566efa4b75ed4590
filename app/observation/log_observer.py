"""The observer that writes to the server's log."""

import logging

from app.observation.observer import AnswerLogWrite, AnswerRecord, DocumentRecord, ModelCall
from app.statuses import DocumentStatus

log = logging.getLogger(__name__)


class LogObserver:
    """One line per answer and per failed document; the rest at DEBUG."""

    def answer_ended(self, record: AnswerRecord) -> None:
        """Log the answer. Only at DEBUG with its question."""
        log.info(
            "answer message=%s session=%s project=%s user=%s model=%s rag_enabled=%s route=%s outcome=%s top_k=%d "
            "chunks=%d avg_score=%s citations=%d context_window=%s context_tokens=%d input_tokens=%d output_tokens=%s "
            "max_tokens=%s granted=%s%s retrieval_ms=%s first_token_ms=%s total_ms=%s",
            record.message_id,
            record.session_id,
            record.project_id,
            record.user_id,
            record.model,
            record.rag_enabled,
            record.route,
            record.outcome or record.failure,
            record.top_k,
            record.chunks,
            _rounded(record.mean_score, 3),
            record.citations,
            record.context_window,
            record.context_tokens,
            record.input_tokens,
            record.output_tokens,
            record.max_tokens_requested,
            record.max_tokens_granted,
            " REDUCED" if record.is_reduced else "",
            _rounded(record.retrieval_ms),
            _rounded(record.first_token_ms),
            _rounded(record.total_ms),
        )
        log.debug("answer message=%s question=%r", record.message_id, record.question)

    def model_called(self, call: ModelCall) -> None:
        """Log the call at DEBUG; what goes wrong is logged by the circuit breaker."""
        log.debug("model call %s", call)

    def answer_log_written(self, write: AnswerLogWrite) -> None:
        """Log the write at DEBUG."""
        log.debug("answer log %s", write)

    def document_processed(self, record: DocumentRecord) -> None:
        """Log a document that failed."""
        if record.status is DocumentStatus.FAILED:
            log.info("document failed, document=%s code=%s", record.document_id, record.failure_code)
        else:
            log.debug("document %s", record)


def _rounded(value: float | None, digits: int = 1) -> float | None:
    return None if value is None else round(value, digits)
