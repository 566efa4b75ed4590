"""The observer that writes to the server's log. Rows appear with the ids that the API shows."""

import logging

from app import global_ids
from app.observation.logs import LogFields
from app.observation.observer import AnswerRecord, DocumentRecord, Record, RequestRecord
from app.statuses import DocumentStatus

log = logging.getLogger(__name__)


class LogObserver:
    """One line per answer, per failed document and, if `requests`, per request; the rest at DEBUG."""

    def __init__(self, *, requests: bool = False) -> None:
        self._request_level = logging.INFO if requests else logging.DEBUG

    def observe(self, record: Record) -> None:
        """Log a record. Failed model calls and deliveries are logged where they fail."""
        match record:
            case AnswerRecord():
                log.info("answer %s", LogFields(_answer_fields(record)))
                message_id = _global_id("Message", record.message_id)
                log.debug("answer message_id=%s question=%r", message_id, record.question)
            case DocumentRecord() if record.status is DocumentStatus.FAILED:
                document, project = _global_id("Document", record.document_id), _global_id("Project", record.project_id)
                fields = {"document_id": document, "project_id": project, "code": record.failure_code}
                log.info("document failed %s", LogFields(fields))
            case RequestRecord():
                if log.isEnabledFor(self._request_level):
                    log.log(self._request_level, "request %s", LogFields(_request_fields(record)))
            case _:
                log.debug("%s", record)


def _request_fields(record: RequestRecord) -> dict[str, str | float | None]:
    return {
        "request_id": record.id,
        "method": record.method,
        "path": record.path,
        "status": record.status,
        "duration_ms": _round(record.duration_ms),
        "user_id": _global_id("User", record.user_id),
    }


def _answer_fields(record: AnswerRecord) -> dict[str, str | float | bool | None]:
    return {
        "request_id": record.request_id,
        "message_id": _global_id("Message", record.message_id),
        "session_id": _global_id("ChatSession", record.session_id),
        "project_id": _global_id("Project", record.project_id),
        "user_id": _global_id("User", record.user_id),
        "model": record.model,
        "rag_enabled": record.rag_enabled,
        "route": record.route,
        "outcome": record.outcome or record.failure,
        "top_k": record.top_k,
        "chunks": record.chunks,
        "avg_score": _round(record.mean_score, 3),
        "citations": record.citations,
        "support": _round(record.support, 3),
        "context_window": record.context_window,
        "context_tokens": record.context_tokens,
        "input_tokens": record.input_tokens,
        "output_tokens": record.output_tokens,
        "max_tokens": record.max_tokens_requested,
        "max_tokens_granted": record.max_tokens_granted,
        "max_tokens_status": "REDUCED" if record.is_reduced else None,
        "retrieval_ms": _round(record.retrieval_ms),
        "first_token_ms": _round(record.first_token_ms),
        "total_ms": _round(record.total_ms),
    }


def _global_id(kind: str, id: str | None) -> str | None:
    return None if id is None else global_ids.encode(kind, id)


def _round(value: float | None, digits: int = 1) -> float | None:
    return None if value is None else round(value, digits)
