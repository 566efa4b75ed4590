"""Store and read the original bytes of documents, one piece at a time."""

from collections.abc import AsyncGenerator, Iterator
from typing import Any, BinaryIO

from sqlalchemy import func, select

from app.database import models
from app.database.protocol import Database
from app.knowledge import uploads


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
