"""Store and read documents' original bytes piece by piece, and the places of the files that they were read from."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Iterator, Sequence, Set
from functools import partial
from typing import Any, BinaryIO

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.protocol import Database
from app.knowledge import uploads
from app.knowledge.uploads import ContentDigest, FilePlace

_PLACE = models.DocumentPlace
_INSERT_PLACES = insert(_PLACE)
_DELETE_PLACES = delete(_PLACE).where(
    or_(
        _PLACE.document_id == bindparam("document_id"),
        and_(_PLACE.project_id == bindparam("project_id"), _PLACE.place == bindparam("place")),
    )
)


def piece_values(document: models.Document, file: BinaryIO) -> Iterator[dict[str, Any]]:
    """The rows for a file's bytes; keeps one piece in memory at a time.

    Raises ContentChanged if the bytes do not match the document's size and checksum.
    """
    for position, piece in enumerate(uploads.read_unchanged(file, ContentDigest(document.bytes, document.sha256))):
        yield {"document_id": document.id, "version": document.version, "position": position, "data": piece}


async def read_pieces(database: Database, document: models.Document, positions: range) -> AsyncGenerator[bytes]:
    """The bytes at these positions of this version of a document.

    Each piece is read in its own transaction, so a slow reader keeps none open. Ends early if the document is deleted
    or replaced meanwhile.
    """
    piece = models.Original
    of_version = piece.document_id == document.id, piece.version == document.version
    async with database.read() as db:
        # All pieces but the last have the same size.
        size = await db.scalar(select(func.length(piece.data)).where(*of_version, piece.position == 0))
    offset = positions.start
    while size and offset < positions.stop:
        number, start = divmod(offset, size)
        async with database.read() as db:
            data = await db.scalar(select(piece.data).where(*of_version, piece.position == number))
        part = (data or b"")[start : start + positions.stop - offset]
        if not part:
            return
        yield part
        offset += len(part)


class OriginalPlaces:
    """The places of the files that documents were read from, for commands that read them again.

    Clients neither see nor set them: paths on this machine do not concern them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def places_by_source(self, project_id: str) -> dict[str, Set[str]]:
        """The sources of a project's documents, each with the known places of its file: one or none."""
        return await self._database.run_read(partial(self._read, project_id))

    def _read(self, project_id: str, db: Session) -> dict[str, Set[str]]:
        document, places = models.Document, _read_places(db, _PLACE.project_id == project_id)
        sources = select(document.id, document.source).where(
            document.project_id == project_id, document.source.is_not(None)
        )
        return {source: places.get(id, set()) for id, source in db.execute(sources) if source is not None}


def write_places(db: Session, places: Sequence[tuple[models.Document, FilePlace]]) -> None:
    """Record where the files of documents are, in the caller's transaction.

    A document whose recorded place the caller does not know is left alone: another command has added it meanwhile.
    """
    recorded = _read_places(db, _PLACE.document_id.in_([document.id for document, _ in places]))
    changed = [
        {"project_id": document.project_id, "place": file.place, "document_id": document.id}
        for document, file in places
        if recorded[document.id] <= {file.place, *file.former} and recorded[document.id] != {file.place}
    ]
    if changed:
        db.connection().execute(_DELETE_PLACES, changed)
        db.connection().execute(_INSERT_PLACES, changed)


def _read_places(db: Session, condition: ColumnElement[bool]) -> defaultdict[str, set[str]]:
    """The places of files, by the ids of their documents."""
    places: defaultdict[str, set[str]] = defaultdict(set)
    for document_id, place in db.execute(select(_PLACE.document_id, _PLACE.place).where(condition)):
        places[document_id].add(place)
    return places
