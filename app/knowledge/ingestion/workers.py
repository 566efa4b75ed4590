"""Workers that parse, embed and index queued documents, or record why that failed.

Each worker claims documents, several small ones of a project at a time, and has them parsed in a separate process.
A failure is recorded in the document's row and affects no other document.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from app import errors, global_ids
from app.database import models
from app.knowledge import storage_limits
from app.knowledge.ingestion.cancellation import cancel_and_wait
from app.knowledge.ingestion.embedding import DocumentEmbedder, ReadDocument
from app.knowledge.ingestion.indexing import DocumentIndexer
from app.knowledge.ingestion.queue import BATCH_SIZE, IngestionQueue
from app.knowledge.ingestion.reading import DocumentReader, await_slow_document
from app.knowledge.ingestion.relevance_meter import RelevanceMeter
from app.knowledge.ingestion.reporting import Stopwatch, report_failed, report_ready
from app.knowledge.library import Library
from app.knowledge.notifications import notify_documents
from app.knowledge.parsing.splitter import Splitter
from app.notifier import topics
from app.notifier.protocol import Notifier
from app.observation import tracing
from app.observation.observer import Observer
from app.observation.outages import OutageLog
from app.observation.tracing import Tracer
from app.statuses import DocumentStatus, IngestionStage

Result = TypeVar("Result")
_ModelFailure = tuple[ReadDocument, errors.AnswerError]

log = logging.getLogger(__name__)

# Documents that arrive one by one, as from a folder, get this long to form a batch.
_GATHER_SECONDS = 0.05
# A document that takes longer to read is considered slow.
_PATIENCE_SECONDS = 0.5
# How long to wait if the database cannot be written.
_RETRY_SECONDS = 1.0
# The least time between two progress reports; each is a write.
_REPORT_SECONDS = 0.25
# After this many failures in a row, the model is considered down for the rest of the batch.
_FAILURES_UNTIL_DOWN = 2


class IngestionWorkers:
    """Workers that process the queue for as long as the server runs."""

    def __init__(
        self,
        queue: IngestionQueue,
        indexing: DocumentIndexer,
        embedding: DocumentEmbedder,
        relevance: RelevanceMeter,
        library: Library,
        notifier: Notifier,
        splitter: Splitter,
        observer: Observer,
        tracer: Tracer | None,
    ) -> None:
        self._indexing = indexing
        self._embedding = embedding
        self._relevance = relevance
        self._library = library
        self._notifier = notifier
        self._reader = DocumentReader(splitter)
        self._observer = observer
        self._tracer = tracer
        self.outages = OutageLog(log, "documents are waiting", "documents are processed again")
        self.queue = queue

    async def run(self) -> None:
        """Work until cancelled; then requeue what was being processed."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.queue.workers):
                    group.create_task(self._run_worker())
                group.create_task(self._relevance.measure_all())
        finally:
            with suppress(errors.Unavailable):  # then another process recovers them
                await asyncio.shield(self.queue.requeue_all())

    async def _run_worker(self) -> None:
        with self._notifier.subscribe(topics.INGESTION_QUEUE) as changes:
            while True:
                try:
                    await self.queue.requeue_unfinished()
                    while await self._process_next():
                        pass
                except (errors.Unavailable, SQLAlchemyError) as error:
                    self.outages.report_failure(error)
                    await asyncio.sleep(_RETRY_SECONDS)
                    continue
                # The end of a pause is not notified. Not `wait_for`: before Python 3.12 it could lose a cancellation.
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.queue.seconds_until_check()):
                        checked = time.monotonic()
                        await changes.wait()
                        # Each new document wakes all workers, even if its project may have no more of them.
                        await asyncio.sleep(checked + _GATHER_SECONDS - time.monotonic())

    async def _process_next(self) -> bool:
        """Claim documents of a project and process them; returns whether there were any."""
        documents = await self.queue.claim_documents()
        if not documents:
            if self.queue.is_idle():
                self.outages.report_success()
            return False
        notify_documents(self._notifier, documents)  # kill point: claim.committed
        project_id, together = documents[0].project_id, len(documents)
        about = {"footnote.project.id": global_ids.encode("Project", project_id), "footnote.documents": together}
        try:
            with tracing.trace(self._tracer, "ingest documents", attributes=about):
                await self._process_documents(documents)
        except (errors.Unavailable, SQLAlchemyError):
            self.queue.remember_unfinished(documents)
            raise
        finally:
            self.queue.release_project(project_id)
        self.outages.report_success()  # not right after the claim: a small write may succeed while larger ones fail
        if together < BATCH_SIZE:
            await asyncio.sleep(_GATHER_SECONDS)
        return True

    async def _process_documents(self, documents: list[models.Document]) -> None:
        """Read documents of a project one by one, then embed and store them together.

        A slow document does not delay others: those read before it are stored, and those not started are requeued and
        removed from `documents`.
        """
        originals = await self._library.read_originals(documents)
        reads: list[ReadDocument] = []
        position = 0
        while position < len(documents):
            results = await self._reader.read_together(documents[position:], originals)
            for document, result in zip(documents[position:], results, strict=False):
                if isinstance(result, errors.DocumentError):
                    await self._refuse_document(document, result)
                else:
                    reads.append(result)
            position += len(results)
            if results:
                continue
            document, position = documents[position], position + 1
            reading = asyncio.create_task(
                self._run_step(document, self._reader.read_document(document, originals[document.id]))
            )
            try:
                await asyncio.wait([reading], timeout=_PATIENCE_SECONDS)
                if not reading.done():
                    await self.queue.requeue_documents(documents[position:])
                    del documents[position:]  # only now: documents that cannot be requeued are remembered as unfinished
                    await self._store_batch(reads)
                    reads = []
                    await await_slow_document(self.queue, document, reading)
            finally:
                await cancel_and_wait(reading)
            if not reading.cancelled() and (read := reading.result()) is not None:
                reads.append(read)
        await self._store_batch(reads)

    async def _store_batch(self, reads: Sequence[ReadDocument]) -> None:
        """Store documents of a project together; if the model fails, one by one, because one may be the cause."""
        reads = await self._refuse_over_limit(reads)
        if not reads:
            return
        project_id = reads[0].document.project_id  # kill point: read
        together = len(reads) > 1 and await self._try_to_store(reads) is None
        failed: list[_ModelFailure] = []
        for number, read in enumerate(() if together else reads):
            down = number >= _FAILURES_UNTIL_DOWN and len(failed) == number and failed[-1][1].retryable
            error = failed[-1][1] if down else await self._try_to_store([read])
            if error is not None:
                failed.append((read, error))
        if not failed:
            self.queue.pauses.resume_project(project_id)
        else:
            works_for_others = len(failed) < len(reads) or await self._embedding.model_answers(project_id)
            await self._handle_model_failures(project_id, failed, model_works_for_others=works_for_others)

    async def _try_to_store(self, reads: Sequence[ReadDocument]) -> errors.AnswerError | None:
        """Store documents; returns the model's error if it failed."""
        try:
            if len(reads) == 1:
                await self._run_step(reads[0].document, self._embed_and_store(reads))
            else:
                await self._embed_and_store(reads)
        except errors.AnswerError as error:
            return error
        except (errors.Unavailable, SQLAlchemyError):
            raise
        except Exception:  # one document must never stop the queue; its failure is recorded when it is stored alone
            log.exception("documents cannot be stored together")
            return errors.Internal("An internal error occurred while documents were being stored together.")
        return None

    async def _handle_model_failures(
        self, project_id: str, failed: Sequence[_ModelFailure], *, model_works_for_others: bool
    ) -> None:
        """Fail documents that the model will never accept; pause and requeue the others."""
        given_up: list[tuple[models.Document, str]] = []
        waiting: list[models.Document] = []
        for read, error in failed:
            document = read.document
            if not error.retryable or (
                model_works_for_others and self.queue.pauses.record_failure(document.id, read.embedded_texts)
            ):
                given_up.append((document, f"The embedding model failed: {error.message}"))
            else:
                waiting.append(document)
        await self._fail_documents("EMBEDDER_UNAVAILABLE", given_up)
        if not waiting:
            self.queue.pauses.resume_project(project_id)
            return
        error, id = failed[-1][1], global_ids.encode("Project", project_id)
        retry_after = error.retry_after if isinstance(error, errors.ModelUnavailable) else None
        seconds = await self.queue.pause_project(project_id, error.message, retry_after)
        log.warning("documents wait %.0f s for their model, project_id=%s: %s", seconds, id, error.message)
        queued = {"status": DocumentStatus.QUEUED, "stage": IngestionStage.EMBEDDING, "owner": None}
        await self._update_documents(waiting, **queued)  # kill point: pause.waiting

    async def _run_step(self, document: models.Document, work: Awaitable[Result]) -> Result | None:
        """Await `work` and return its result, or None after recording its failure in the document's row."""
        try:
            return await work
        except errors.DocumentError as error:
            await self._refuse_document(document, error)
        except (errors.Unavailable, errors.AnswerError, SQLAlchemyError):  # not the document's fault
            raise
        except Exception:  # one document must never stop the queue; the log says what happened
            reference, id = errors.new_reference(), global_ids.encode("Document", document.id)
            log.exception("ingestion failed, document_id=%s reference=%s", id, reference)
            message = f"An internal error occurred while this document was being processed (log: {reference})."
            await self._fail_document(document, "INTERNAL", message)
        return None

    async def _embed_and_store(self, reads: Sequence[ReadDocument]) -> None:
        """Embed and store documents of one project."""
        reported = time.monotonic()

        async def report(done: int, total: int) -> None:
            nonlocal reported
            if len(reads) == 1 and time.monotonic() - reported > _REPORT_SECONDS:
                reported = time.monotonic()
                counts = {"chunks_done": done, "chunks_total": total}
                await self._update_documents([reads[0].document], stage=IngestionStage.EMBEDDING, **counts)

        # kill point: embedded
        stopwatch = Stopwatch()
        try:
            embedded = await self._embedding.embed_documents(reads, report)
        except errors.NotFound:  # the project was deleted with its documents
            return
        embedding_ms = stopwatch.take_ms()
        stored = await self._indexing.store_documents(embedded)
        notify_documents(self._notifier, [read.document for read in reads])  # kill point: store.committed
        kept = await self._fail_over_limit(reads, stored.refused)
        report_ready(self._observer, kept, embedding_ms, stopwatch.take_ms())
        await self._relevance.measure_if_grown(embedded[0].space, stored.chunks)

    async def _refuse_over_limit(self, reads: Sequence[ReadDocument]) -> list[ReadDocument]:
        """Fail the documents of a project whose text exceeds the storage limit; returns the others."""
        if not reads:
            return []
        texts = {read.document.id: read.split for read in reads}
        refused = await self._indexing.find_over_limit(reads[0].document.project_id, texts)
        return await self._fail_over_limit(reads, refused)

    async def _fail_over_limit(self, reads: Sequence[ReadDocument], refused: Mapping[str, str]) -> list[ReadDocument]:
        for read in reads:
            if (message := refused.get(read.document.id)) is not None:
                await self._fail_document(read.document, storage_limits.FULL, message)
        return [read for read in reads if read.document.id not in refused]

    async def _refuse_document(self, document: models.Document, error: errors.DocumentError) -> None:
        if error.reason == "TIMEOUT":
            self.queue.slow_projects.record_slow(document.project_id)
        await self._fail_document(document, error.reason, error.message)

    async def _fail_document(self, document: models.Document, code: str, message: str) -> None:
        await self._fail_documents(code, [(document, message)])

    async def _fail_documents(self, code: str, failures: Sequence[tuple[models.Document, str]]) -> None:
        await self._indexing.store_failures(code, failures)
        notify_documents(self._notifier, [document for document, _ in failures])
        for document, _ in failures:
            report_failed(self._observer, document, code)

    async def _update_documents(self, documents: Sequence[models.Document], **values: object) -> None:
        await self._indexing.update_processing(documents, values)
        notify_documents(self._notifier, documents)
