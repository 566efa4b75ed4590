"""Store and read the original bytes of documents, one piece at a time."""

import asyncio
from collections.abc import AsyncGenerator
from typing import BinaryIO

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.database.protocol import Database
from app.knowledge import uploads


async def store_original(db: AsyncSession, document: models.Document, file: BinaryIO) -> None:
    """Store the file's bytes; holds one piece in memory at a time."""
    await db.flush()
    await asyncio.to_thread(file.seek, 0)
    position = 0
    while piece := await asyncio.to_thread(file.read, uploads.PIECE_BYTES):
        values = {"document_id": document.id, "version": document.version, "position": position, "data": piece}
        await db.execute(insert(models.Original), [values])
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
