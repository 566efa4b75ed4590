"""One user's access to documents."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from typing import Any, BinaryIO, TypeVar

from app import errors
from app.accounts.members import Role
from app.answer_options.document_filter import DocumentFilter
from app.chat.quote_erasure import finish_erasure
from app.database import models, pages
from app.knowledge.addition_rows import Outcome
from app.knowledge.parsing.pdf_pages import Areas, ChunkSpan
from app.knowledge.search.filters import OLDEST_FIRST, LibraryOrder
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.notifier.subscription import TopicSubscription
from app.services.authorization.followers import CredentialCheck, ResultSlot
from app.services.authorization.project_changes import ProjectChanges
from app.services.authorization.roles import Roles
from app.services.backend import Backend

T = TypeVar("T")


def _version_key(document: models.Document) -> tuple[str, int]:
    return document.id, document.version


async def _flatten(groups: AsyncGenerator[Sequence[T]]) -> AsyncGenerator[T]:
    async with aclosing(groups):
        async for group in groups:
            for item in group:
                yield item


class DocumentAccess:
    """VIEWERs of a project can read its documents, EDITORs can change them. Raises NotFound or Forbidden otherwise."""

    def __init__(self, backend: Backend, roles: Roles) -> None:
        self._library = backend.knowledge.library
        self._pdf_pages = backend.knowledge.pdf_pages
        self._quote_erasure = backend.chat.quote_erasure
        self._notifier = backend.notifier
        self._followers = backend.followers
        self._changes = backend.project_changes
        self._usage = backend.accounts.usage
        self._members = backend.accounts.members
        self._roles = roles

    async def add_document(self, project_id: str, new: NewDocument, file: BinaryIO) -> tuple[models.Document, bool]:
        """Store a document and queue it. Raises RateLimited after too many uploads."""
        await self._roles.require(Role.EDITOR, project_id)
        if not self._roles.full_access:
            await self._usage.spend("uploads", self._roles.user_id)
        return await self._library.add_document(project_id, new, file)

    async def add_documents(
        self, project_id: str, new_documents: Sequence[tuple[NewDocument, BinaryIO]]
    ) -> list[Outcome]:
        """Store and queue several documents; the outcome of one may be RateLimited, after too many uploads."""
        await self._roles.require(Role.EDITOR, project_id)
        count, refusal = len(new_documents), None
        if not self._roles.full_access and new_documents:
            count, refusal = await self._spend_uploads(len(new_documents))
        added = await self._library.add_documents(project_id, new_documents[:count])
        return [*added, *[refusal for _ in new_documents[count:] if refusal is not None]]

    async def _spend_uploads(self, amount: int) -> tuple[int, errors.RateLimited | None]:
        """Count this many uploads; returns how many of them are allowed, and the error for the others."""
        try:
            await self._usage.spend("uploads", self._roles.user_id, amount)
        except errors.RateLimited:
            for count in range(amount):
                try:
                    await self._usage.spend("uploads", self._roles.user_id)
                except errors.RateLimited as error:
                    return count, error
        return amount, None

    async def update_document(self, document_id: str, changes: dict[str, Any]) -> models.Document:
        """Update a document's title, URL or metadata."""
        await self._require_editor(document_id)
        return await self._library.update_document(document_id, changes)

    async def retry_document(self, document_id: str) -> models.Document:
        """Queue a failed document again."""
        await self._require_editor(document_id)
        return await self._library.retry_document(document_id)

    async def reread_documents(self, project_id: str) -> Sequence[models.Document]:
        """Queue documents of a project that were read by earlier parsers; returns those."""
        await self._roles.require(Role.EDITOR, project_id)
        return await self._library.rereading.queue_outdated(project_id)

    async def delete_document(self, document_id: str, *, erase_quotes: bool = False) -> str:
        """Delete a document; returns the project's id. `erase_quotes` also erases its words from stored answers."""
        document = await self._require_editor(document_id)
        if not erase_quotes:
            return await self._library.delete_document(document_id)
        words, started = await self._quote_erasure.read_words(document), self._quote_erasure.earliest_end()
        # Most quotes are erased first: if that fails, the document still exists and can be deleted again.
        await self._quote_erasure.erase_quotes(words)
        project_id = await self._library.delete_document(document_id, partial(finish_erasure, words, started))
        # Where transactions write at the same time, an answer may have ended during the deletion.
        await self._quote_erasure.erase_quotes(words, started)
        return project_id

    async def _require_editor(self, document_id: str) -> models.Document:
        [row] = await self._library.documents_by_ids([document_id])
        return await self._roles.require_row(row, Role.EDITOR, "document", document_id)

    async def by_ids(self, ids: Sequence[str]) -> list[models.Document | None]:
        """The documents with these ids, in order; None for each that the user may not see."""
        return await self._roles.visible_rows(await self._library.documents_by_ids(ids))

    async def finished_documents(self, ids: Sequence[str]) -> list[models.Document]:
        """The documents with these ids that are READY or FAILED."""
        rows = await self._roles.visible_rows(await self._library.finished_documents(ids))
        return [row for row in rows if row is not None]

    async def chunks_by_ids(self, ids: Sequence[int]) -> list[models.Chunk | None]:
        """The chunks with these ids, in order; None for each that the user may not see."""
        return await self._roles.visible_rows(await self._library.chunks_by_ids(ids))

    async def find_quotes(self, spans: Sequence[ChunkSpan]) -> list[Areas]:
        """The areas on the pages of its document where the text of each span is; none if that is unknown.

        Each document is read once, and only if the user may see it and its newest version has the chunk.
        """
        chunks = {row.id: row for row in await self.chunks_by_ids(sorted({span.chunk_id for span in spans})) if row}
        documents = await self.by_ids(sorted({chunk.document_id for chunk in chunks.values()}))
        found: dict[ChunkSpan, Areas] = {}
        for document in documents:
            if document is None:
                continue
            rows = {id: row for id, row in chunks.items() if (row.document_id, row.version) == _version_key(document)}
            readable = list(dict.fromkeys(span for span in spans if span.chunk_id in rows))
            quotes = [span.quote_in(rows[span.chunk_id]) for span in readable]
            found |= zip(readable, await self._pdf_pages.find_quotes(document, quotes), strict=True)
        return [found.get(span, ()) for span in spans]

    def stream_original(self, document: models.Document, positions: range) -> AsyncGenerator[bytes]:
        """The original bytes at these positions, piece by piece. The user is known to have access to the document."""
        return self._library.stream_original(document, positions)

    async def draw_page(self, document: models.Document, number: int, width: int) -> bytes | None:
        """A picture of a page, or None. The user is known to have access to the document."""
        return await self._pdf_pages.draw_page(document, number, width)

    async def list_documents(
        self,
        project_ids: Sequence[str],
        which: DocumentFilter,
        request: pages.PageRequest,
        order: LibraryOrder = OLDEST_FIRST,
    ) -> list[pages.Page[models.Document]]:
        """A page of documents per project."""
        await self._roles.require(Role.VIEWER, *project_ids)
        return await self._library.list_documents(project_ids, which, request, order)

    async def count_documents(self, project_ids: Sequence[str], which: DocumentFilter) -> list[int]:
        """The number of matching documents per project."""
        await self._roles.require(Role.VIEWER, *project_ids)
        return await self._library.count_documents(project_ids, which)

    async def list_chunks(
        self, document_ids: Sequence[str], request: pages.PageRequest
    ) -> list[pages.Page[models.Chunk]]:
        """A page of chunks per document, in text order. This user is known to have access to the documents."""
        return await self._library.list_chunks(document_ids, request)

    async def count_chunks(self, document_ids: Sequence[str]) -> list[int]:
        """The number of chunks per document. This user is known to have access to the documents."""
        return await self._library.count_chunks(document_ids)

    @property
    def max_clock_difference(self) -> timedelta:
        """How far back a later change may be dated, because the clocks of servers differ."""
        return self._changes.max_clock_difference

    async def changed_since(self, project_id: str, moment: datetime) -> ProjectChanges:
        """The documents of a project whose state changed after `moment`, and perhaps some before.

        Its followers share one read. Raises NotFound once the user has no access or the project is deleted.
        """
        changes = await self._changes.read(project_id, moment)
        if not changes.is_visible_to(self._roles.seen_by):
            raise errors.NotFound("project", project_id)
        return changes

    def subscribe_to_document(self, document: models.Document) -> TopicSubscription:
        """A subscription to the changes of a document, and to the deletion of its project."""
        return self._notifier.subscribe(topics.document(document.id), topics.project_deleted(document.project_id))

    def subscribe_to_project(self, project_id: str) -> TopicSubscription:
        """A subscription to the changes of a project's documents."""
        return self._notifier.subscribe(topics.project_documents(project_id))

    def subscribe_to_space(self, space: models.EmbeddingSpace) -> TopicSubscription:
        """A subscription to the changes of an embedding space, and to the deletion of its project."""
        return self._notifier.subscribe(topics.embedding_space(space.id), topics.project_deleted(space.project_id))

    async def yield_while_visible(
        self,
        project_id: str,
        source: AsyncGenerator[Sequence[T]],
        kind: str,
        id: str,
        check: CredentialCheck,
        slot: ResultSlot,
    ) -> AsyncGenerator[T]:
        """Yield the items of the groups in `source` while the user has access to the project.

        Then raise NotFound, or what `check` raises. `slot` is held while an item is yielded.
        """
        with self._followers.follow(self._roles.seen_by, project_id, check) as follower:
            async with aclosing(follower.yield_while_visible(_flatten(source), kind, id, slot)) as visible:
                async for event in visible:
                    yield event
        # The source may notice the lost access first, and simply end.
        if not self._roles.full_access and not await self._members.roles_by_project(self._roles.user_id, [project_id]):
            raise errors.NotFound(kind, id)
