"""Copy the indexes of one database into another, SQLite or PostgreSQL, and compare their search results."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy
from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms, Index, SpaceKey
from app.statuses import DocumentStatus

_BATCH_SIZE = 500
_RESULTS = 10
_QUERY_WORDS = 6
# Databases sum the parts of a score in different orders.
_SCORE_TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True)
class IndexedDatabase:
    """A transaction on a database, and its indexes."""

    db: AsyncSession
    index: Index


@dataclass(frozen=True, slots=True)
class ComparedSearches:
    """The number of searches made on both sides, and the queries whose results differ."""

    made: int
    different: tuple[str, ...]


async def copy_indexes(source: IndexedDatabase, target: IndexedDatabase) -> AsyncGenerator[tuple[int, int]]:
    """Rebuild the full text of all chunks, and copy their vectors; yields the number of both per batch."""
    for project_id in (await source.db.scalars(select(models.Project.id))).all():
        of_project = models.EmbeddingSpace.project_id == project_id
        rows = await source.db.scalars(select(models.EmbeddingSpace).where(of_project))
        spaces = [SpaceKey.from_row(row) for row in rows]
        for space in spaces:
            await target.db.run_sync(target.index.vectors.prepare_space, space)
        after = 0
        while chunks := (await source.db.execute(_select_chunks(project_id, after))).all():
            ids = [chunk.id for chunk in chunks]
            counted = [
                ChunkTerms(chunk.id, terms.count_terms(terms.full_heading(chunk.title, chunk.heading), chunk.text))
                for chunk in chunks
            ]
            await target.db.run_sync(target.index.texts.add_texts, project_id, counted)
            copied = 0
            for space in spaces:
                of_space, vectors = await source.db.run_sync(source.index.vectors.read_vectors, space, ids)
                if of_space:
                    await target.db.run_sync(target.index.vectors.add_vectors, space, of_space, vectors)
                    copied += len(of_space)
            after = ids[-1]
            yield len(ids), copied


async def count_different_vectors(source: IndexedDatabase, target: IndexedDatabase) -> AsyncGenerator[tuple[int, int]]:
    """Compare all vectors; yields for each batch the number of chunks compared and the number that differ."""
    for row in (await source.db.scalars(select(models.EmbeddingSpace))).all():
        space, after = SpaceKey.from_row(row), 0
        while chunks := (await source.db.execute(_select_chunks(row.project_id, after))).all():
            ids = [chunk.id for chunk in chunks]
            ours = await source.db.run_sync(source.index.vectors.read_vectors, space, ids)
            theirs = await target.db.run_sync(target.index.vectors.read_vectors, space, ids)
            after = ids[-1]
            same = ours[0] == theirs[0] and numpy.array_equal(ours[1], theirs[1])
            yield len(ids), 0 if same else len(ids)


async def compare_searches(source: IndexedDatabase, target: IndexedDatabase, count: int) -> ComparedSearches:
    """Run the same searches on both sides: the words and vectors of chunks from all over the database.

    The copy has the words of documents' newest titles; the source has those of a new version only once that is READY.
    So the words of its project's chunks are not compared until then.
    """
    different: list[str] = []
    chosen = await _choose_chunks(source.db, count)
    retitled = await _find_retitled_projects(source.db)
    for chunk_id, project_id, text in chosen:
        query = " ".join(text.split()[:_QUERY_WORDS])
        spaces = await source.db.scalars(
            select(models.EmbeddingSpace).where(models.EmbeddingSpace.project_id == project_id)
        )
        keys = [SpaceKey.from_row(row) for row in spaces]
        words = None if project_id in retitled else query
        sides = [await _search(side, project_id, keys, chunk_id, words) for side in (source, target)]
        if not all(map(_are_equal, *sides)):
            different.append(query)
    return ComparedSearches(len(chosen), tuple(different))


async def _search(
    side: IndexedDatabase, project_id: str, spaces: Sequence[SpaceKey], chunk_id: int, words: str | None
) -> list[dict[int, float]]:
    texts, vectors = side.index.texts, side.index.vectors
    found: list[dict[int, float]] = []
    if words is not None:
        found.append(await side.db.run_sync(texts.search_texts, project_id, words, _RESULTS))
    for space in spaces:
        ids, own = await side.db.run_sync(vectors.read_vectors, space, [chunk_id])
        if ids:
            found.append(await side.db.run_sync(partial(vectors.find_nearest, space=space, vector=own, limit=_RESULTS)))
    return found


def _are_equal(one: dict[int, float], other: dict[int, float]) -> bool:
    """Whether both have the same scores and the same chunks, except for chunks that tie for the last place."""
    ours, theirs = sorted(one.values(), reverse=True), sorted(other.values(), reverse=True)
    if len(ours) != len(theirs) or not numpy.allclose(ours, theirs, rtol=0, atol=_SCORE_TOLERANCE):
        return False
    last = min(ours, default=0.0) + _SCORE_TOLERANCE
    return {each for each, score in one.items() if score > last} <= other.keys()


async def _choose_chunks(db: AsyncSession, count: int) -> list[tuple[int, str, str]]:
    """Evenly spaced chunks, with their projects and texts."""
    low = await db.scalar(select(func.min(models.Chunk.id))) or 0
    high = await db.scalar(select(func.max(models.Chunk.id))) or 0
    found: dict[int, tuple[int, str, str]] = {}
    for number in range(count if high else 0):
        start = low + (high - low + 1) * number // count
        chunk = select(models.Chunk.id, models.Chunk.project_id, models.Chunk.text)
        row = (await db.execute(chunk.where(models.Chunk.id >= start).order_by(models.Chunk.id).limit(1))).one()
        found[row.id] = (row.id, row.project_id, row.text)
    return list(found.values())


async def _find_retitled_projects(db: AsyncSession) -> set[str]:
    """The projects with a document that can be searched, but may have another title by now."""
    document, chunk = models.Document, models.Chunk
    is_searched = select(chunk.id).where(chunk.document_id == document.id).exists()
    found = select(document.project_id).where(document.status != DocumentStatus.READY, is_searched)
    return set(await db.scalars(found))


def _select_chunks(project_id: str, after: int) -> Select[int, list[str], str, str]:
    """The next batch of a project's chunks: id, heading, text and their document's title."""
    chunk = models.Chunk
    return (
        select(chunk.id, chunk.heading, chunk.text, models.Document.title)
        .join(models.Document, models.Document.id == chunk.document_id)
        .where(chunk.project_id == project_id, chunk.id > after)
        .order_by(chunk.id)
        .limit(_BATCH_SIZE)
    )
