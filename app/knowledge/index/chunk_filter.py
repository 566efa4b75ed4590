"""Limit a search to the chunks of some documents."""

import numpy
from sqlalchemy import Select, Text, cast, func, select
from sqlalchemy.orm import Session

from app.database import models
from app.knowledge.index.vector_rows import Ids


class ChunkFilter:
    """The chunks of some documents: as a statement for searches in the database, as ids for searches in memory.

    Made for one search. Its legs may use it concurrently, on several threads.
    """

    def __init__(self, document_ids: Select[str]) -> None:
        """`document_ids` selects the documents."""
        self._of_documents = models.Chunk.document_id.in_(document_ids)
        self._read: tuple[int, Ids] | None = None

    def select_ids(self, first: int = 0) -> Select[int]:
        """The ids of the chunks, each with `first` added."""
        # Without an offset, select the plain column: an expression such as id + 0 could not use an index.
        return select(models.Chunk.id + first if first else models.Chunk.id).where(self._of_documents)

    def read_ids(self, db: Session, version: int) -> Ids:
        """The ids of the chunks in this version of the project's index; read once per version."""
        read = self._read
        if read is None or read[0] != version:
            # All ids in one text: fetching each as a row takes twice as long.
            joined = select(func.aggregate_strings(cast(models.Chunk.id, Text), ",")).where(self._of_documents)
            text = db.connection().execute(joined).scalar()
            read = self._read = version, numpy.fromstring(text or "", numpy.int64, sep=",")
        return read[1]
