"""Store and read the original bytes of documents, one piece at a time, and the places of files they were read from."""

import hashlib
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence, Set
from functools import partial
from typing import Any, BinaryIO

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge import uploads

# Keys of documents that are places, not idempotency keys of clients.
_PLACE = "footnote-file:"
MAX_PLACE_LENGTH = uploads.MAX_LENGTHS["idempotency_key"] - len(_PLACE)
"""Characters of a place."""


def piece_values(document: models.Document, file: BinaryIO) -> Iterator[dict[str, Any]]:
    """The rows for the file's bytes; holds one piece in memory at a time."""
    file.seek(0)
    position = 0
    while piece := file.read(uploads.PIECE_BYTES):
        yield {"document_id": document.id, "version": document.version, "position": position, "data": piece}
        position += 1


async def read_pieces(database: Database, document: models.Document, positions: range) -> AsyncGenerator[bytes]:
    """The bytes at these positions of this version of a document.

    Each piece is read in its own transaction, so a slow reader holds none open. Ends early if the document is deleted
    or replaced in the meantime.
    """
    piece = models.Original
    of_version = piece.document_id == document.id, piece.version == document.version
    async with database.read() as db:
        # As large as all other pieces but the last.
        size = await db.scalar(select(func.length(piece.data)).where(*of_version, piece.position == 0))
    at = positions.start
    while size and at < positions.stop:
        number, start = divmod(at, size)
        async with database.read() as db:
            data = await db.scalar(select(piece.data).where(*of_version, piece.position == number))
        part = (data or b"")[start : start + positions.stop - at]
        if not part:
            return
        yield part
        at += len(part)


class OriginalPlaces:
    """Where the files are that documents were read from, for commands that read them again.

    They are kept among the keys of documents, which nobody sees: a path on this machine is no business of clients.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def places_by_source(self, project_id: str) -> dict[str, Set[str]]:
        """The sources of a project's documents, each with the places that are known of its file: one, or none."""
        return await self._database.run_read(partial(self._read, project_id))

    def _read(self, project_id: str, db: Session) -> dict[str, Set[str]]:
        document, key = models.Document, models.DocumentKey
        of_places = select(key.document_id, key.key).where(
            key.project_id == project_id, key.key.startswith(_PLACE, autoescape=True)
        )
        places: dict[str, set[str]] = {}
        for document_id, place in db.execute(of_places):
            places.setdefault(document_id, set()).add(place.removeprefix(_PLACE))
        sources = select(document.id, document.source).where(
            document.project_id == project_id, document.source.is_not(None)
        )
        return {source: places.get(id, set()) for id, source in db.execute(sources) if source is not None}

    async def record_places(self, project_id: str, documents: Mapping[str, str], former: Sequence[str]) -> None:
        """Record the documents of places, by their ids, and forget `former` places."""
        await self._database.run_write(partial(self._write, project_id, documents, former), Lock.DOCUMENTS)

    def _write(self, project_id: str, documents: Mapping[str, str], former: Sequence[str], db: Session) -> None:
        key = models.DocumentKey
        old = [_PLACE + place for place in (*documents, *former)]
        db.execute(delete(key).where(key.project_id == project_id, key.key.in_(old)))
        # A document may be deleted at any time.
        there = set(db.scalars(select(models.Document.id).where(models.Document.id.in_(documents.values()))))
        rows = [
            {
                "project_id": project_id,
                "key": _PLACE + place,
                "document_id": document_id,
                "sha256": hashlib.sha256(place.encode()).hexdigest(),
            }
            for place, document_id in documents.items()
            if document_id in there
        ]
        if rows:
            db.execute(insert(key), rows)
