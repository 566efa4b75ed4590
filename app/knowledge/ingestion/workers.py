"""Make queued documents searchable, or tell why they cannot be.

A few workers take documents, small ones of a project several at a time; they are parsed in processes of their own, one
after the other. What goes wrong with one document is told in its row and disturbs no other.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from app import errors, language
from app.database import models
from app.database.engine import Database
from app.database.leases import Owner
from app.knowledge import library, uploads
from app.knowledge.ingestion.embedding import DocumentEmbedder, ReadDocument
from app.knowledge.ingestion.indexing import DocumentIndexer, update_if_processing
from app.knowledge.ingestion.queue import BATCH_SIZE, IngestionQueue
from app.knowledge.ingestion.scheduling import SLICE_SECONDS
from app.knowledge.parsed import SplitDocument
from app.signals import Signal

Result = TypeVar("Result")

log = logging.getLogger(__name__)

# Documents that come one by one, as from a folder, are given this long to become a few.
_GATHER_SECONDS = 0.05
# A document that takes longer to read is one that takes its time; and how often is looked whether it still may.
_PATIENCE_SECONDS = 0.5
_LOOK_SECONDS = 1.0
# How long to wait when the database cannot be written.
_RETRY_SECONDS = 1.0
# Between two reports of progress: not more often than anybody could read, for each is a write.
_REPORT_SECONDS = 0.25
# So many documents one after the other that a model does not answer for: it would not for the rest.
_ENOUGH = 2

SplitFile = Callable[[bytes, str | None, str], Awaitable[SplitDocument]]
"""(bytes, name, media type) → chunks; raises DocumentError. Runs where it can be killed."""


class IngestionWorkers:
    """Workers that empty the queue for as long as the server runs."""

    def __init__(
        self,
        database: Database,
        indexing: DocumentIndexer,
        embedding: DocumentEmbedder,
        documents: library.Library,
        signal: Signal,
        split: SplitFile,
        owner: Owner,
        *,
        workers: int = 3,
    ) -> None:
        self._database = database
        self._indexing = indexing
        self._embedding = embedding
        self._documents = documents
        self._signal = signal
        self._split = split
        self._workers = workers
        self.queue = IngestionQueue(database, signal, owner, workers)

    async def run(self) -> None:
        """Work until cancelled; then what was being processed is put back for whoever comes next."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._work())
        finally:
            with suppress(errors.Unavailable):  # whoever comes next finds them under a name that is gone
                await asyncio.shield(self.queue.requeue_all())

    async def _work(self) -> None:
        with self._signal.watch(library.QUEUE_TOPIC) as rings:
            while True:
                try:
                    await self.queue.requeue_unfinished()
                    while await self._step():
                        pass
                except (errors.Unavailable, SQLAlchemyError) as error:
                    log.warning("documents wait: %s", error)
                    await asyncio.sleep(_RETRY_SECONDS)
                    continue
                await rings.wait()

    async def _step(self) -> bool:
        """Take documents of a project and process them; whether there were any."""
        documents = await self.queue.claim_documents()
        if not documents:
            return False
        self._ring(documents)  # kill point: claim.committed
        project_id, together = documents[0].project_id, len(documents)
        try:
            await self._process(documents)
        except (errors.Unavailable, SQLAlchemyError):
            self.queue.remember_unfinished(documents)
            raise
        finally:
            self.queue.release_project(project_id)
        if together < BATCH_SIZE:
            await asyncio.sleep(_GATHER_SECONDS)
        return True

    async def _process(self, documents: list[models.Document]) -> None:
        """Read documents of a project one by one, then embed and store them together.

        One that takes its time holds up no other: what was read before is stored, and those that are not begun go
        back into the queue, and out of `documents`.
        """
        originals = await self._documents.read_originals(documents)
        reads: list[ReadDocument] = []
        for place, document in enumerate(documents, 1):
            reading = asyncio.create_task(self._attempt(document, self._read(document, originals)))
            try:
                await asyncio.wait([reading], timeout=_PATIENCE_SECONDS)
                if not reading.done():
                    rest = documents[place:]
                    del documents[place:]
                    await self.queue.requeue_documents(rest)
                    await self._store_all(reads)
                    reads = []
                    await self._follow(document, reading)
            finally:
                await _ended(reading)
            if not reading.cancelled() and (read := reading.result()) is not None:
                reads.append(read)
        await self._store_all(reads)

    async def _follow(self, document: models.Document, reading: asyncio.Task[ReadDocument | None]) -> None:
        """Wait for a document that takes its time, for as long as it is wanted, and nobody needs its worker more."""
        start = time.monotonic()
        while not reading.done():
            await asyncio.wait([reading], timeout=_LOOK_SECONDS)
            if reading.done():
                return
            if not await self.queue.is_still_ours(document):
                log.info("document is no longer needed, document=%s", document.id)
                return
            if time.monotonic() - start < SLICE_SECONDS:
                continue
            lateness = self.queue.slow_projects
            lateness.record_slow(document.project_id)
            if await self.queue.others_are_waiting(document.project_id) and lateness.should_yield(document.id):
                log.info("document gives way to another project, document=%s", document.id)
                await _ended(reading)
                await self.queue.requeue_documents([document], behind=True)
                return

    async def _store_all(self, reads: Sequence[ReadDocument]) -> None:
        """Store documents of a project together; if the model fails, each alone: it may choke on one of them only."""
        if not reads:
            return
        project_id = reads[0].document.project_id  # kill point: read
        if len(reads) > 1 and await self._tried(reads) is None:
            self.queue.pauses.resume_project(project_id)
            return
        failed: list[tuple[ReadDocument, errors.AnswerError]] = []
        for number, read in enumerate(reads):
            down = number >= _ENOUGH and len(failed) == number and failed[-1][1].retryable
            error = failed[-1][1] if down else await self._tried([read])
            if error is not None:
                failed.append((read, error))
        if failed:
            alone = len(failed) < len(reads) or await self._embedding.model_answers(project_id)
            await self._settle(project_id, failed, alone=alone)

    async def _tried(self, reads: Sequence[ReadDocument]) -> errors.AnswerError | None:
        """Store documents; what the model failed with, if it did."""
        try:
            if len(reads) == 1:
                await self._attempt(reads[0].document, self._store(reads))
            else:
                await self._store(reads)
        except errors.AnswerError as error:
            return error
        except (errors.Unavailable, SQLAlchemyError):
            raise
        except Exception:  # one document must never stop the queue; alone, it is told in its row
            log.exception("documents cannot be stored together")
            return errors.Internal("An internal error occurred while documents were being stored together.")
        return None

    async def _settle(
        self, project_id: str, failed: Sequence[tuple[ReadDocument, errors.AnswerError]], *, alone: bool
    ) -> None:
        """Documents whose model failed: those that it will never take have failed, the others wait and are tried again.

        `alone`: the model answers for others.
        """
        waiting: list[models.Document] = []
        for read, error in failed:
            document = read.document
            if not error.retryable or (alone and self.queue.pauses.record_failure(document.id, read.embedded_texts)):
                message = f"The embedding model failed: {error.message}"
                await self._fail(document, "EMBEDDER_UNAVAILABLE", message)
            else:
                waiting.append(document)
        if not waiting:
            self.queue.pauses.resume_project(project_id)
            return
        error = failed[-1][1]
        asked = error.retry_after if isinstance(error, errors.ModelUnavailable) else None
        seconds = self.queue.pauses.pause_project(project_id, error.message, asked)
        log.warning(
            "documents wait %.0f s for their embedding model, project=%s: %s", seconds, project_id, error.message
        )
        for document in waiting:
            await self._update(document, status="QUEUED", stage="EMBEDDING", owner=None)  # kill point: pause.waiting

    async def _attempt(self, document: models.Document, work: Awaitable[Result]) -> Result | None:
        """The result of `work`, or None with the reason in the document's row."""
        try:
            return await work
        except errors.DocumentError as error:
            if error.reason == "TIMEOUT":
                self.queue.slow_projects.record_slow(document.project_id)
            await self._fail(document, error.reason, error.message)
        except (errors.Unavailable, errors.AnswerError, SQLAlchemyError):  # that is not the document's fault
            raise
        except Exception:  # one document must never stop the queue; the log has what happened
            reference = uuid.uuid4().hex[:12]
            log.exception("ingestion failed, document=%s reference=%s", document.id, reference)
            await self._fail(
                document,
                "INTERNAL",
                f"An internal error occurred while this document was being processed (log: {reference}).",
            )
        return None

    async def _read(self, document: models.Document, originals: Mapping[str, bytes]) -> ReadDocument:
        split = await self._split(originals[document.id], document.name or document.source, document.media_type)
        if not split.chunks:
            raise errors.DocumentError("EMPTY", "There is no text in this document.")
        if not document.title_given and split.title:
            document.title = language.to_one_line(split.title, uploads.MAX_TITLE_LENGTH) or document.title
        return ReadDocument(document, split)

    async def _store(self, reads: Sequence[ReadDocument]) -> None:
        """Embed and store documents of one project."""
        reported = time.monotonic()

        async def report(done: int, total: int) -> None:
            nonlocal reported
            if len(reads) == 1 and time.monotonic() - reported > _REPORT_SECONDS:
                reported = time.monotonic()
                await self._update(reads[0].document, stage="EMBEDDING", chunks_done=done, chunks_total=total)

        # kill point: embedded
        await self._indexing.store_documents(await self._embedding.embed_documents(reads, report))
        self._ring([read.document for read in reads])  # kill point: store.committed

    async def _fail(self, document: models.Document, code: str, message: str) -> None:
        log.info("document failed, document=%s code=%s", document.id, code)
        await self._update(document, status="FAILED", stage=None, failure_code=code, failure_message=message)

    async def _update(self, document: models.Document, **values: object) -> None:
        document.progress += 1
        async with self._database.begin() as db:  # kill point: failing
            await db.execute(update_if_processing(document).values(progress=document.progress, **values))
        self._ring([document])

    def _ring(self, documents: Sequence[models.Document]) -> None:
        for document in documents:
            self._signal.ring(library.change_topic(document.id))
        for project_id in {document.project_id for document in documents}:
            self._signal.ring(library.change_topic(project_id))


async def _ended(reading: asyncio.Task[ReadDocument | None]) -> None:
    """Cancelled, if it still goes on, and over: with it ends the process that reads, even when we are cancelled too."""
    reading.cancel()
    cancelled: asyncio.CancelledError | None = None
    while not reading.done():
        try:
            await asyncio.wait([reading])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
