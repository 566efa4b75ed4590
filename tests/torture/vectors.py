"""Compare the vectors of all embedding spaces with the texts that they should be of."""

from functools import partial

import numpy
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.database import models, opening
from app.database.protocol import Database
from app.knowledge.index.opening import open_index
from app.knowledge.index.protocol import SpaceKey, VectorIndex
from app.statuses import EmbeddingSpaceState
from tests.servers.running import vector

# An index may keep fewer digits.
_TOLERANCE = 1e-3


async def find_wrong_vectors(database: Database) -> list[object]:
    """Vectors that do not match their chunks' texts, are missing, belong to no chunk, or to a space of the past."""
    index = open_index(database.dialect).vectors
    wrong: list[object] = list(await database.run_read(partial(_find_wrong, index)))
    async with database.read() as db:
        return [*wrong, *(await index.find_discrepancies(db)).stray_rows]


async def find_wrong_vectors_at(url: str) -> list[object]:
    """The same, of the database that `url` names."""
    database = opening.open_database(url)
    try:
        return await find_wrong_vectors(database)
    finally:
        await database.close()


def _find_wrong(index: VectorIndex, db: Session) -> list[int]:
    wrong: list[int] = []
    for space in db.scalars(select(models.EmbeddingSpace)).all():
        of_project = models.Chunk.project_id == space.project_id
        wanted = select(models.Chunk.id, models.Document.title, models.Chunk.heading, models.Chunk.text)
        chunks = db.execute(
            wanted.join(models.Document, models.Document.id == models.Chunk.document_id).where(of_project)
        )
        texts = {id: f"{' > '.join((title, *heading))}\n{text}" for id, title, heading, text in chunks}
        ids, vectors = index.read_vectors(db, SpaceKey.from_row(space), sorted(texts))
        stored = dict(zip(ids, vectors, strict=True))
        if space.state != EmbeddingSpaceState.ACTIVE:
            wrong += stored
            continue
        for id, text in texts.items():
            got, want = stored.get(id), vector(text, space.dimensions)
            if got is None or not numpy.allclose(got, want, atol=_TOLERANCE):
                wrong.append(id)
    return wrong
