"""Documents, as one user may see and change them."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, aclosing
from datetime import datetime
from typing import Any, BinaryIO, TypeVar

from app import errors
from app.accounts.members import Role
from app.database import models, pages
from app.knowledge import library
from app.knowledge.library import Library
from app.knowledge.search.filters import DocumentCriteria
from app.knowledge.uploads import NewDocument
from app.services.accounts import Accounts
from app.services.authorization.roles import Roles
from app.services.authorization.watching import Check, FollowerRegistry
from app.signals import Signal, Watcher

T = TypeVar("T")


class DocumentAccess:
    """A VIEWER of the project reads, an EDITOR changes. Raises NotFound and Forbidden accordingly."""

    def __init__(
        self, library: Library, signal: Signal, followers: FollowerRegistry, accounts: Accounts, roles: Roles
    ) -> None:
        self._library = library
        self._signal = signal
        self._followers = followers
        self._usage = accounts.usage
        self._access = accounts.access
        self._roles = roles

    async def add(self, project_id: str, new: NewDocument, file: BinaryIO) -> tuple[models.Document, bool]:
        """Keep a document and queue it. Raises RateLimited after too many."""
        await self._roles.require(project_id, Role.EDITOR, "project")
        if not self._roles.everything:
            await self._usage.spend("uploads", self._roles.user_id)
        return await self._library.add_document(project_id, new, file)

    async def update(self, document_id: str, changes: dict[str, Any]) -> models.Document:
        """Change what is said of it."""
        await self._changeable(document_id)
        return await self._library.update_document(document_id, changes)

    async def retry(self, document_id: str) -> models.Document:
        """Queue a failed one again."""
        await self._changeable(document_id)
        return await self._library.retry_document(document_id)

    async def delete(self, document_id: str) -> str:
        """Remove it; the project's id."""
        await self._changeable(document_id)
        return await self._library.delete_document(document_id)

    async def _changeable(self, document_id: str) -> None:
        [row] = await self._library.documents_by_ids([document_id])
        await self._roles.require_row(row, Role.EDITOR, "document", document_id)

    async def by_ids(self, ids: Sequence[str]) -> list[models.Document | None]:
        """The documents with these ids, in order."""
        return await self._roles.visible_rows(await self._library.documents_by_ids(ids))

    async def ended(self, ids: Sequence[str]) -> list[models.Document]:
        """Those of these documents that are READY or FAILED."""
        return [
            row
            for row in await self._roles.visible_rows(await self._library.finished_documents(ids))
            if row is not None
        ]

    async def chunks_by_ids(self, ids: Sequence[int]) -> list[models.Chunk | None]:
        """The chunks with these ids, in order."""
        return await self._roles.visible_rows(await self._library.chunks_by_ids(ids))

    def original_pieces(self, document: models.Document) -> AsyncGenerator[bytes]:
        """The bytes of a document that was found here, as they were given, piece by piece."""
        return self._library.stream_original(document)

    async def page(
        self,
        project_ids: Sequence[str],
        which: DocumentCriteria,
        window: pages.Window,
        order: str = "CREATED_AT",
        descending: bool = False,
    ) -> list[pages.Page[models.Document]]:
        """Documents of each project."""
        await self._check(project_ids)
        return await self._library.list_documents(project_ids, which, window, order, descending)

    async def count(self, project_ids: Sequence[str], which: DocumentCriteria) -> list[int]:
        """How many documents of each project match."""
        await self._check(project_ids)
        return await self._library.count_documents(project_ids, which)

    async def chunks(self, document_ids: Sequence[str], window: pages.Window) -> list[pages.Page[models.Chunk]]:
        """Chunks of each of these documents, which were found here, in the order of their text."""
        return await self._library.list_chunks(document_ids, window)

    async def count_chunks(self, document_ids: Sequence[str]) -> list[int]:
        """How many chunks each of these documents has, which were found here."""
        return await self._library.count_chunks(document_ids)

    async def changed_since(self, project_id: str, moment: datetime) -> list[models.Document]:
        """Documents of a project whose state changed after `moment`."""
        await self._check([project_id])
        return await self._library.documents_changed_since(project_id, moment)

    def watch_changes(self, id: str) -> AbstractContextManager[Watcher]:
        """Wakes its watcher when the document with this id changes, or any document of this project."""
        return self._signal.watch(library.change_topic(id))

    async def yield_while_visible(
        self, project_id: str, source: AsyncGenerator[T], kind: str, id: str, check: Check
    ) -> AsyncGenerator[T]:
        """What `source` yields while the user sees the project; then NotFound. Or what `check` raises."""
        with self._followers.project(self._roles.seen_by, project_id, check) as watched:
            async with aclosing(watched.yield_while_visible(source, kind, id)) as seen:
                async for event in seen:
                    yield event
        # A source may notice first that there is nothing to be seen any more, and just end.
        if not self._roles.everything and not await self._access.roles(self._roles.user_id, [project_id]):
            raise errors.NotFound(kind, id)

    async def _check(self, project_ids: Sequence[str]) -> None:
        for project_id in project_ids:
            await self._roles.require(project_id, Role.VIEWER, "project")
