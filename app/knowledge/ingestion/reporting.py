"""Report processed documents to the observer."""

import time
from collections.abc import Sequence

from app.database import models
from app.knowledge.ingestion.embedding import ReadDocument
from app.observation.observer import DocumentRecord, Observer
from app.statuses import DocumentStatus, IngestionStage


class Stopwatch:
    """Measures the duration of consecutive stages."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def take_ms(self) -> float:
        """Milliseconds since the last call, or since creation."""
        start, self._start = self._start, time.monotonic()
        return (self._start - start) * 1000


def report_ready(observer: Observer, reads: Sequence[ReadDocument], embedding_ms: float, indexing_ms: float) -> None:
    """Report documents that were embedded and stored together."""
    for read in reads:
        document = read.document
        stage_ms = {
            IngestionStage.PARSING: read.took_ms,
            IngestionStage.EMBEDDING: embedding_ms,
            IngestionStage.INDEXING: indexing_ms,
        }
        chunks = len(read.split.chunks)
        observer.observe(DocumentRecord(document.id, document.project_id, DocumentStatus.READY, None, chunks, stage_ms))


def report_failed(observer: Observer, document: models.Document, code: str) -> None:
    """Report a document that failed."""
    observer.observe(DocumentRecord(document.id, document.project_id, DocumentStatus.FAILED, code, 0, {}))
