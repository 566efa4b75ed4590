"""Store and read the original bytes of documents, one piece at a time."""

from collections.abc import AsyncGenerator, Iterator
from typing import Any, BinaryIO

from sqlalchemy import select

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


async def read_pieces(database: Database, document: models.Document) -> AsyncGenerator[bytes]:
    """The bytes of this version of a document.

    Each piece is read in its own transaction, so a slow reader holds none open. Ends early if the document is deleted
    or replaced in the meantime.
    """
    of_version = models.Original.document_id == document.id, models.Original.version == document.version
    position = 0
    while True:
        statement = select(models.Original.data).where(*of_version, models.Original.position == position)
        async with database.read() as db:
            piece = await db.scalar(statement)
        if piece is None:
            return
        yield piece
        position += 1
