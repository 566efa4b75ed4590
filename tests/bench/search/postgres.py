"""Compare searches by vector and ingestion on PostgreSQL with those on SQLite, on the same synthetic vectors.

`python -m tests.bench postgres 1000000 100 200000`: so many chunks in so many projects, then one large project, whose
HNSW graph is made and measured. TEST_POSTGRES_URL names a server; without it, one is started that does not wait for the
disk. Vectors are kept in no process, so every search goes to the database.
"""

import io
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast
from uuid import UUID

import numpy
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from app.database import models
from app.knowledge.index import scored_texts
from app.knowledge.index.chunk_filter import ChunkFilter
from app.knowledge.index.protocol import SpaceKey
from app.providers.base import Vectors
from app.services import Backend, open_backend
from app.settings import Settings
from tests import postgres
from tests.bench.documents import ingestion
from tests.bench.measured import Row, compare_times, tell

_TOPICS, _SPREAD, _DECAY = 200, 0.8, 0.6
_LIMIT, _BEST = 100, 10
_QUERIES = 200
_PAGE = 10_000
_DOCUMENTS = 4
_ADDED = 1_000
# The numbers of pages of vectors that are in no project.
_QUERY_PAGE = 100_000
_EDITIONS = 4
_GRAPH = text("SELECT pg_relation_size(indexrelid) FROM pg_stat_user_indexes WHERE indexrelname LIKE '%_near_%'")


@dataclass(frozen=True)
class _Project:
    """A project whose vectors can be made again from its seed; chunk ids begin at `first`."""

    id: str
    space: SpaceKey
    seed: int
    first: int
    size: int


class _Topics:
    """Vectors around topics, with dimensions that matter less and less, as those of texts are."""

    def __init__(self, seed: int, dimensions: int) -> None:
        self._scale = (1 / numpy.arange(1, dimensions + 1) ** _DECAY).astype(numpy.float32)
        self._seed = seed
        self._topics = numpy.random.default_rng([seed, 0]).standard_normal((_TOPICS, dimensions), numpy.float32)

    def make(self, number: int, size: int) -> Vectors:
        """`size` vectors of length 1; the same for the same number."""
        random = numpy.random.default_rng([self._seed, number])
        found = self._topics[random.integers(0, _TOPICS, size)]
        found += _SPREAD * random.standard_normal(found.shape, numpy.float32)
        found *= self._scale
        return found / numpy.linalg.norm(found, axis=1, keepdims=True)


async def measure(chunks: int = 1_000_000, projects: int = 100, large: int = 200_000) -> list[Row]:
    """Fill both databases and measure them, one after the other."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, postgres.fresh_database() as server:
        for url in (f"sqlite:///{folder}/bench.db", server):
            values = {"database_url": url, "vector_memory_mb": 0}
            async with open_backend(Settings.model_validate(values), "serve") as footnote:
                tell(f"measuring {footnote.database.dialect}")
                filled = [await _fill(footnote, number, chunks // projects) for number in range(projects)]
                rows += await _measure_ingestion(footnote)
                await _analyze(footnote)
                rows.append(await _measure_search(footnote, filled, f"{chunks:,} chunks in {projects} projects"))
                rows += await _measure_large(footnote, await _fill(footnote, projects, large))
    return rows


async def _measure_ingestion(footnote: Backend) -> list[Row]:
    found = await ingestion.measure(footnote, _EDITIONS)
    return [replace(row, name=_name(footnote, f"ingestion, {row.name}")) for row in found]


async def _measure_large(footnote: Backend, project: _Project) -> list[Row]:
    name = f"one project of {project.size:,}"
    rows = [await _measure_search(footnote, [project], name)]
    if footnote.database.dialect == "sqlite":
        return rows
    before = await _measure_adding(footnote, project, 0)
    began = time.perf_counter()
    await footnote.knowledge.index.vectors.update_graphs(footnote.database)
    seconds = time.perf_counter() - began
    size = await footnote.database.run_read(lambda db: db.execute(_GRAPH).scalar_one())
    after = await _measure_adding(footnote, project, _ADDED)
    some = await _add_documents(footnote, project)
    return [
        *rows,
        Row(_name(footnote, "its graph"), f"made in {seconds:.0f} s, {size / 1e6:.0f} MB"),
        await _measure_search(footnote, [project], f"{name}, graph"),
        await _measure_search(footnote, [project], f"{name}, graph, half of it", some),
        Row(
            _name(footnote, "adding a vector"), f"{after:.2f} ms", f"without the graph {before:.2f} ms", after / before
        ),
    ]


async def _measure_search(
    footnote: Backend, projects: Sequence[_Project], name: str, among: ChunkFilter | None = None
) -> Row:
    """How long searches take, and how many of the ten nearest chunks are among what they find.

    `among` is the first half of the chunks.
    """
    times: list[float] = []
    scans: list[float] = []
    found = 0
    each = max(1, _QUERIES // len(projects))
    for project in projects[:_QUERIES]:
        topics, size = (
            _Topics(project.seed, project.space.dimensions),
            project.size if among is None else project.size // 2,
        )
        matrix = _all_vectors(topics, project.size)[:size]
        # The first search of each is not counted: it reads what the next ones find in memory.
        for place, vector in enumerate(topics.make(_QUERY_PAGE, each + 1)):
            vectors = vector.reshape(1, -1)
            search = partial(_find, footnote, project.space, vectors, among)
            began = time.perf_counter()
            nearest = await footnote.database.run_read(search, slow=True)
            if place:
                times.append((time.perf_counter() - began) * 1000)
                began = time.perf_counter()
                best = numpy.argpartition(matrix @ -vector, _BEST)[:_BEST] + project.first
                scans.append((time.perf_counter() - began) * 1000)
                found += len(nearest.keys() & set(best.tolist()))
    row = compare_times(_name(footnote, name), times, "numpy scan", scans)
    return replace(row, measured=f"{row.measured}; recall@10 {found / _BEST / len(times):.4f}")


def _find(
    footnote: Backend, space: SpaceKey, vectors: Vectors, among: ChunkFilter | None, db: Session
) -> dict[int, float]:
    return footnote.knowledge.index.vectors.find_nearest(db, space, vectors, _LIMIT, among)


async def _fill(footnote: Backend, number: int, size: int) -> _Project:
    """A project of `size` vectors, without chunks."""
    created = await footnote.knowledge.projects.create_project(f"bench {number}")
    row, _ = await footnote.knowledge.spaces.ensure_space(created.id)
    project = _Project(created.id, SpaceKey.from_row(row), number, (number + 1) * 10_000_000, size)
    topics = _Topics(number, row.dimensions)
    for place, start in enumerate(range(0, size, _PAGE)):
        vectors = topics.make(place + 1, min(_PAGE, size - start))
        ids = range(project.first + start, project.first + start + len(vectors))
        if footnote.database.dialect == "postgresql":
            await _copy_to_server(footnote, project.space, ids, vectors)
        else:
            add = footnote.knowledge.index.vectors.add_vectors
            await footnote.database.run_write(partial(add, space=project.space, chunk_ids=ids, vectors=vectors))
    return project


def _all_vectors(topics: _Topics, size: int) -> Vectors:
    pages = [topics.make(place + 1, min(_PAGE, size - start)) for place, start in enumerate(range(0, size, _PAGE))]
    return numpy.concatenate(pages)


async def _copy_to_server(footnote: Backend, space: SpaceKey, ids: range, vectors: Vectors) -> None:
    """By COPY, whose binary form has the length of each value before it."""
    values = [("fields", ">i2"), ("l1", ">i4"), ("space", "V16"), ("l2", ">i4"), ("id", ">i8"), ("l3", ">i4")]
    layout = numpy.dtype([*values, ("dimensions", ">i2"), ("unused", ">i2"), ("vector", ">f4", (space.dimensions,))])
    rows = numpy.zeros(len(ids), layout)
    rows["fields"], rows["l1"], rows["l2"], rows["l3"] = 3, 16, 8, 4 + 4 * space.dimensions
    rows["space"], rows["id"] = numpy.void(UUID(space.id).bytes), ids
    rows["dimensions"], rows["vector"] = space.dimensions, vectors
    data = b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows.tobytes() + b"\xff\xff"
    connection = await _connect(footnote)
    await connection.copy_to_table("chunk_vectors", source=io.BytesIO(data), format="binary")
    await connection.close()


async def _analyze(footnote: Backend) -> None:
    """What the server does by itself after a minute."""
    if footnote.database.dialect == "postgresql":
        connection = await _connect(footnote)
        await connection.execute("VACUUM ANALYZE chunk_vectors", timeout=600)
        await connection.close()


async def _connect(footnote: Backend) -> Any:
    return await cast("Any", footnote.database.location)[0]()


async def _measure_adding(footnote: Backend, project: _Project, skipped: int) -> float:
    """Milliseconds for each of some new vectors, which are removed again; afterwards the project has its totals."""
    index = footnote.knowledge.index.vectors
    vectors = _Topics(project.seed, project.space.dimensions).make(_QUERY_PAGE + 1 + skipped, _ADDED)
    ids = range(project.first + project.size + skipped, project.first + project.size + skipped + _ADDED)
    began = time.perf_counter()
    await footnote.database.run_write(partial(index.add_vectors, space=project.space, chunk_ids=ids, vectors=vectors))
    took = (time.perf_counter() - began) * 1000 / _ADDED
    await footnote.database.run_write(partial(index.remove_vectors, space=project.space, chunk_ids=ids))
    if not skipped:
        size = project.size
        await footnote.database.run_write(
            lambda db: scored_texts.add_to_totals(db.connection(), project.id, size, size)
        )
    return took


async def _add_documents(footnote: Backend, project: _Project) -> ChunkFilter:
    """The rows of the project's chunks, in some documents; returns a filter for the first half of them."""
    made = [
        models.Document(
            project_id=project.id, title=str(n), media_type="text/plain", bytes=0, sha256=f"{n:064}", status="READY"
        )
        for n in range(_DOCUMENTS)
    ]
    each = project.size // _DOCUMENTS
    async with footnote.database.begin() as db:
        db.add_all(made)
        await db.flush()
        for n, document in enumerate(made):
            await db.execute(
                text(
                    "INSERT INTO chunks (id, project_id, document_id, version, position, text, heading, start_offset, "
                    "end_offset, token_count) SELECT :first + n, :project, :document, 1, n, '', '[]', 0, 0, 0 "
                    "FROM generate_series(0, :each - 1) AS n"
                ),
                {"first": project.first + n * each, "project": project.id, "document": document.id, "each": each},
            )
    connection = await _connect(footnote)
    await connection.execute("VACUUM ANALYZE chunks", timeout=600)
    await connection.close()
    half = [document.id for document in made[: _DOCUMENTS // 2]]
    return ChunkFilter(select(models.Document.id).where(models.Document.id.in_(half)))


def _name(footnote: Backend, what: str) -> str:
    return f"{footnote.database.dialect}: {what}"
