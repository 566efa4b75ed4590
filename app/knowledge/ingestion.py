"""Queued documents in; searchable ones out, or failed ones with a reason.

The queue is the documents table: QUEUED → PROCESSING → READY or FAILED. A few workers take documents in order, small
ones several at a time; they are parsed in processes of their own. What goes wrong with one document is told in its row
and disturbs no other.
"""

import asyncio
import logging
import time
import uuid
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TypeVar

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.exc import SQLAlchemyError

from app import errors
from app.database import models, pages
from app.database.engine import Database
from app.database.leases import Owner
from app.knowledge import library
from app.knowledge.embedding import Embedding, Read
from app.knowledge.holds import Holds
from app.knowledge.indexing import Indexing, in_process
from app.knowledge.parsed import SplitDocument
from app.signals import Signal

Result = TypeVar("Result")

log = logging.getLogger(__name__)

# Small documents are taken together, for a transaction and a call of the embedder cost more than their content.
_TOGETHER = 16
_TOGETHER_BYTES = 500_000
# Documents that come one by one, as from a folder, are given this long to become a few.
_GATHER_SECONDS = 0.05
# Documents that were read wait so long for those that were taken with them.
_PATIENCE_SECONDS = 0.5
# How long to wait when the database cannot be written.
_RETRY_SECONDS = 1.0
# Between two reports of progress: not more often than anybody could read, for each is a write.
_REPORT_SECONDS = 0.25
# So many documents one after the other that a model does not answer for: it would not for the rest.
_ENOUGH = 2

Split = Callable[[bytes, str | None, str], Awaitable[SplitDocument]]
"""(bytes, name, media type) → chunks; raises DocumentError. Runs where it can be killed."""


class Ingestion:
    """Workers that empty the queue for as long as the server runs."""

    def __init__(
        self,
        database: Database,
        indexing: Indexing,
        embedding: Embedding,
        documents: library.Library,
        signal: Signal,
        split: Split,
        owner: Owner,
        *,
        workers: int = 2,
    ) -> None:
        self._database = database
        self._indexing = indexing
        self._embedding = embedding
        self._documents = documents
        self._signal = signal
        self._split = split
        self._owner = owner
        self._workers = workers
        self._left = set[str]()
        self.holds = Holds()

    async def recover(self) -> int:
        """Put back what a process that is gone had taken; how many."""
        async with self._database.read() as db:
            rows = await db.scalars(select(models.Document).where(models.Document.status == "PROCESSING"))
            left = [row.id for row in rows if self._owner.is_gone(row.owner, row.lease_until)]
        if left:
            await self._put_back(models.Document.id.in_(left))
        return len(left)

    async def renew(self) -> None:
        """Sign of life for the documents that are being processed here."""
        async with self._database.begin() as db:
            await db.execute(
                update(models.Document)
                .where(models.Document.owner == self._owner.name, models.Document.status == "PROCESSING")
                .values(lease_until=self._owner.lease(), updated_at=models.Document.updated_at)
                .execution_options(synchronize_session=False)
            )

    async def _put_back(self, which: ColumnElement[bool]) -> None:
        async with self._database.begin() as db:
            await db.execute(
                update(models.Document)
                .where(which, models.Document.status == "PROCESSING")
                .values(status="QUEUED", stage=None, owner=None, chunks_done=0, chunks_total=None)
                .execution_options(synchronize_session=False)
            )
        self._signal.ring(library.QUEUE_TOPIC)

    async def _put_back_left(self) -> None:
        """What was claimed and could not be finished; it is tried as often as it takes, for nobody else would."""
        if left := set(self._left):
            await self._put_back(models.Document.id.in_(left))
            self._left -= left

    async def waiting(self) -> int:
        """How many documents are queued."""
        async with self._database.read() as db:
            return await pages.count(db, select(models.Document.id).where(models.Document.status == "QUEUED"))

    async def run(self) -> None:
        """Work until cancelled; then what was being processed is put back for whoever comes next."""
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._workers):
                    group.create_task(self._work())
        finally:
            await asyncio.shield(self._put_back(models.Document.owner == self._owner.name))

    async def _work(self) -> None:
        with self._signal.watch(library.QUEUE_TOPIC) as queue:
            while True:
                try:
                    await self._put_back_left()
                    while await self._step():
                        pass
                except (errors.Unavailable, SQLAlchemyError) as error:
                    log.warning("documents wait: %s", error)
                    await asyncio.sleep(_RETRY_SECONDS)
                    continue
                await queue.wait()

    async def _step(self) -> bool:
        """Take documents and process them; whether there were any."""
        documents = await self._claim()
        if not documents:
            return False
        try:
            await self._process(documents)
        except (errors.Unavailable, SQLAlchemyError):
            self._left.update(document.id for document in documents)
            raise
        if len(documents) < _TOGETHER:
            await asyncio.sleep(_GATHER_SECONDS)
        return True

    async def _claim(self) -> list[models.Document]:
        """The next document, or the next few small ones, taken so that nobody else takes them."""
        queued = (
            select(models.Document.id, models.Document.bytes)
            .where(models.Document.status == "QUEUED", models.Document.project_id.not_in(self.holds.held()))
            .order_by(models.Document.queued_at, models.Document.id)
            .limit(_TOGETHER)
        )
        async with self._database.begin() as db:
            ids: list[str] = []
            room = _TOGETHER_BYTES
            for document_id, size in await db.execute(queued):
                room -= size
                if ids and room < 0:
                    break
                ids.append(document_id)
            taken = await db.scalars(
                update(models.Document)
                .where(models.Document.id.in_(ids))
                .values(
                    status="PROCESSING",
                    stage="PARSING",
                    progress=models.Document.progress + 1,
                    owner=self._owner.name,
                    lease_until=self._owner.lease(),
                )
                .returning(models.Document)
                .execution_options(synchronize_session=False)
            )
            documents = sorted(taken, key=lambda document: ids.index(document.id))
        self._ring(documents)
        return documents

    async def _process(self, documents: Sequence[models.Document]) -> None:
        """Read each, then embed and store those of a project together; one that fails takes no other with it."""
        async with aclosing(self._reads(documents)) as parts:
            async for part in parts:
                by_project: defaultdict[str, list[Read]] = defaultdict(list)
                for read in part:
                    by_project[read.document.project_id].append(read)
                for project_id, reads in by_project.items():
                    await self._store_all(project_id, reads)

    async def _reads(self, documents: Sequence[models.Document]) -> AsyncGenerator[list[Read]]:
        """Those that could be read, in parts: one that takes its time holds up no other."""
        originals = await self._documents.originals(documents)
        reading: list[asyncio.Task[Read | None]] = [
            asyncio.create_task(self._attempt(document, self._read(document, originals))) for document in documents
        ]
        try:
            while reading:
                await asyncio.wait(reading, timeout=_PATIENCE_SECONDS)
                ready = [task for task in reading if task.done()]
                reading = [task for task in reading if task not in ready]
                yield [read for read in await asyncio.gather(*ready) if read is not None]
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)

    async def _store_all(self, project_id: str, reads: Sequence[Read]) -> None:
        """Store documents of a project together; if the model fails, each alone: it may choke on one of them only."""
        if len(reads) > 1 and await self._tried(reads) is None:
            self.holds.release(project_id)
            return
        failed: list[tuple[Read, errors.AnswerError]] = []
        for number, read in enumerate(reads):
            down = number >= _ENOUGH and len(failed) == number and failed[-1][1].retryable
            error = failed[-1][1] if down else await self._tried([read])
            if error is not None:
                failed.append((read, error))
        if failed:
            alone = len(failed) < len(reads) or await self._embedding.answers(project_id)
            await self._settle(project_id, failed, alone=alone)

    async def _tried(self, reads: Sequence[Read]) -> errors.AnswerError | None:
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
            return errors.Internal("Something broke while documents were stored together.")
        return None

    async def _settle(self, project_id: str, failed: Sequence[tuple[Read, errors.AnswerError]], *, alone: bool) -> None:
        """Documents whose model failed: those that it will never take have failed, the others wait and are tried again.

        `alone`: the model answers for others.
        """
        waiting: list[models.Document] = []
        for read, error in failed:
            document = read.document
            if not error.retryable or (alone and self.holds.blame(document.id, read.done)):
                message = f"The embedding model failed: {error.message}"
                await self._fail(document, "EMBEDDER_UNAVAILABLE", message)
            else:
                waiting.append(document)
        if not waiting:
            self.holds.release(project_id)
            return
        error = failed[-1][1]
        asked = error.retry_after if isinstance(error, errors.ModelUnavailable) else None
        seconds = self.holds.hold(project_id, error.message, asked)
        log.warning(
            "documents wait %.0f s for their embedding model, project=%s: %s", seconds, project_id, error.message
        )
        for document in waiting:
            await self._update(document, status="QUEUED", stage="EMBEDDING", owner=None)

    async def _attempt(self, document: models.Document, work: Awaitable[Result]) -> Result | None:
        """The result of `work`, or None with the reason in the document's row."""
        try:
            return await work
        except errors.DocumentError as error:
            await self._fail(document, error.reason, error.message)
        except (errors.Unavailable, errors.AnswerError, SQLAlchemyError):  # that is not the document's fault
            raise
        except Exception:  # one document must never stop the queue; the log has what happened
            reference = uuid.uuid4().hex[:12]
            log.exception("ingestion failed, document=%s reference=%s", document.id, reference)
            await self._fail(document, "INTERNAL", f"Something broke while this document was read (log: {reference}).")
        return None

    async def _read(self, document: models.Document, originals: Mapping[str, bytes]) -> Read:
        split = await self._split(originals[document.id], document.name or document.source, document.media_type)
        if not split.chunks:
            raise errors.DocumentError("EMPTY", "There is no text in this document.")
        if not document.title_given and split.title:
            document.title = split.title[:500]
        return Read(document, split)

    async def _store(self, reads: Sequence[Read]) -> None:
        """Embed and store documents of one project."""
        reported = time.monotonic()

        async def report(done: int, total: int) -> None:
            nonlocal reported
            if len(reads) == 1 and time.monotonic() - reported > _REPORT_SECONDS:
                reported = time.monotonic()
                await self._update(reads[0].document, stage="EMBEDDING", chunks_done=done, chunks_total=total)

        await self._indexing.store(await self._embedding.embed(reads, report))
        self._ring([read.document for read in reads])

    async def _fail(self, document: models.Document, code: str, message: str) -> None:
        log.info("document failed, document=%s code=%s", document.id, code)
        await self._update(document, status="FAILED", stage=None, failure_code=code, failure_message=message)

    async def _update(self, document: models.Document, **values: object) -> None:
        document.progress += 1
        async with self._database.begin() as db:
            await db.execute(in_process(document).values(progress=document.progress, **values))
        self._ring([document])

    def _ring(self, documents: Sequence[models.Document]) -> None:
        for document in documents:
            self._signal.ring(library.topic(document.id))
        for project_id in {document.project_id for document in documents}:
            self._signal.ring(library.topic(project_id))
