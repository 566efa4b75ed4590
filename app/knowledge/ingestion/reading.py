"""Read documents: parse and split them in a worker process, several small ones per request."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from itertools import takewhile

from app import errors, global_ids, safe_text
from app.database import models
from app.knowledge import uploads
from app.knowledge.ingestion.cancellation import cancel_and_wait
from app.knowledge.ingestion.embedding import ReadDocument
from app.knowledge.ingestion.queue import IngestionQueue
from app.knowledge.ingestion.reporting import Stopwatch
from app.knowledge.ingestion.scheduling import SLICE_SECONDS
from app.knowledge.parsed_documents import SplitDocument
from app.knowledge.parsing import refusals
from app.knowledge.parsing.splitter import Splitter
from app.observation import tracing

log = logging.getLogger(__name__)

# Suspects that are deleted, or read by another process, are not removed; so the oldest are dropped.
_MAX_SUSPECTS = 10_000
# How often to check whether a slow document may continue.
_CHECK_SECONDS = 1.0


class DocumentReader:
    """Reads documents, and sets their titles from their content.

    A document that is slow or kills a worker is identified by reading documents one by one: a group that fails is never
    read together again, not even after it was requeued, because each failure costs a worker and its time limit.
    """

    def __init__(self, splitter: Splitter) -> None:
        self._splitter = splitter
        self._suspects = dict[str, None]()  # oldest first

    async def read_document(self, document: models.Document, data: bytes) -> ReadDocument:
        """Read one document. Raises DocumentError, and Unavailable if no worker can be started."""
        stopwatch = Stopwatch()
        # A document whose reading is cancelled or fails stays a suspect.
        with tracing.child_span("parse document", attributes=_about(document)):
            split = await self._splitter.split(data, _file_name(document), document.media_type)
        self._suspects.pop(document.id, None)
        return _to_read(document, split, stopwatch.take_ms())

    async def read_together(
        self, documents: Sequence[models.Document], originals: Mapping[str, bytes]
    ) -> list[ReadDocument | errors.DocumentError]:
        """Read the first few documents in one request to a worker; returns nothing if the first must be read alone."""
        documents = list(takewhile(lambda document: document.id not in self._suspects, documents))
        if len(documents) < 2:
            return []
        stopwatch = Stopwatch()
        with tracing.child_span("parse documents", attributes={"footnote.documents": len(documents)}):
            splits = await self._splitter.split_together(
                [(originals[document.id], _file_name(document), document.media_type) for document in documents]
            )
        if splits is None:
            self._suspect(documents)
            return []
        took_ms = stopwatch.take_ms() / max(1, len(splits))
        results: list[ReadDocument | errors.DocumentError] = []
        for document, split in zip(documents, splits, strict=False):
            try:
                results.append(_to_read(document, split, took_ms))
            except errors.DocumentError as error:
                results.append(error)
        return results

    def _suspect(self, documents: Sequence[models.Document]) -> None:
        self._suspects.update(dict.fromkeys(document.id for document in documents))
        while len(self._suspects) > _MAX_SUSPECTS:
            del self._suspects[next(iter(self._suspects))]


async def await_slow_document(
    queue: IngestionQueue, document: models.Document, reading: asyncio.Task[ReadDocument | None]
) -> None:
    """Wait for a slow document, as long as its claim is valid and no other project needs the worker more."""
    start = time.monotonic()
    while not reading.done():
        await asyncio.wait([reading], timeout=_CHECK_SECONDS)
        if reading.done():
            return
        if not await queue.is_still_ours(document):
            log.info("document is no longer needed, document_id=%s", global_ids.encode("Document", document.id))
            return
        if time.monotonic() - start < SLICE_SECONDS:
            continue
        slow_projects = queue.slow_projects
        slow_projects.record_slow(document.project_id)
        if await queue.others_are_waiting(document.project_id) and slow_projects.should_yield(document.id):
            log.info("document yields to others, document_id=%s", global_ids.encode("Document", document.id))
            await cancel_and_wait(reading)
            await queue.requeue_documents([document], behind=True)
            return


def _about(document: models.Document) -> tracing.Attributes:
    return {"footnote.document.id": global_ids.encode("Document", document.id)}


def _file_name(document: models.Document) -> str | None:
    return document.name or document.source


def _to_read(document: models.Document, split: SplitDocument | errors.DocumentError, took_ms: float) -> ReadDocument:
    """Raises DocumentError."""
    if isinstance(split, errors.DocumentError):
        try:
            raise split
        finally:
            del split  # no cycle, see app/errors
    if not split.chunks:
        raise refusals.no_text()
    if not document.title_given and split.title:
        document.title = safe_text.to_one_line(split.title, uploads.MAX_TITLE_LENGTH) or document.title
    return ReadDocument(document, split, took_ms)
