"""Measure how long a search takes as projects grow, beside its statements by hand and an exact scan with numpy.

`python -m tests.bench.searching 1000000` measures so many vectors in memory alone.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy
from numpy.typing import NDArray
from sqlalchemy import insert

from app.database import models
from app.knowledge import chunking
from app.knowledge.index import terms
from app.knowledge.index.held_vectors import HeldVectors
from app.knowledge.index.protocol import ChunkTerms, SpaceKey
from app.knowledge.index.sqlite.texts import SQLiteTextIndex
from app.knowledge.index.sqlite.vectors import SQLiteVectorIndex
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.search.hybrid import SearchQuery
from app.providers.base import Vectors
from app.services import Backend, open_backend
from app.settings import Settings
from app.statuses import DocumentStatus
from tests.bench.by_hand import RawSearch, opened
from tests.bench.measured import Row, table, timed
from tests.bench.texts import documents, questions

SIZES = (1_000, 10_000, 100_000)
_BATCH = 2_000

Found = TypeVar("Found")


async def measure(footnote: Backend, sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """Fill a project of each size straight through the index, then search it."""
    texts = _texts()
    model = footnote.models.embedding_model(footnote.settings.embedding_model)
    known = await model.embed_texts(texts, "document")
    rows: list[Row] = []
    for size in sizes:
        project, matrix = await _fill(footnote, size, texts, known)
        search = footnote.knowledge.search.search_project
        first, again = [
            [await timed(partial(search, project.id, SearchQuery(question))) for question in questions()] for _ in "12"
        ]
        vectors = await model.embed_texts(questions(), "query")
        with opened(footnote.database.name) as connection:
            hand = RawSearch(connection, project.id)
            by_hand = [hand.search(*each) for each in zip(questions(), vectors, strict=True)]
        rows += [
            (f"{size:>7,} chunks, search", f"{_spread(first)}   {_ratio(first, by_hand)} of by hand"),
            ("     the same questions again", f"{_spread(again)}   {_ratio(again, by_hand)} of by hand"),
            ("     its statements by hand", _spread(by_hand)),
            *_measure_vectors(_hold(matrix), matrix, vectors),
        ]
    return rows


async def measure_vectors(footnote: Backend, size: int) -> list[Row]:
    """The nearest of so many vectors in memory, without a database."""
    model = footnote.models.embedding_model(footnote.settings.embedding_model)
    known = await model.embed_texts(_texts(), "document")
    matrix = _repeat(known, range(size), numpy.random.default_rng(size))
    return _measure_vectors(_hold(matrix), matrix, await model.embed_texts(questions(), "query"))


def _hold(matrix: Vectors) -> HeldVectors:
    nothing, ids = numpy.empty(0, numpy.int64), numpy.arange(len(matrix))
    return HeldVectors.empty(matrix.shape[1], len(matrix)).update(1, nothing, ids, matrix, is_complete=True)


def _measure_vectors(held: HeldVectors, matrix: Vectors, vectors: Vectors) -> list[Row]:
    """The nearest 100 in memory beside an exact scan, and how many of the best ten are found.

    One after the other: after a scan, the threads of numpy's BLAS keep a core busy for a while.
    """
    for vector in vectors[:10]:
        held.find_nearest(vector, 100)  # the first searches of a large space try out what is faster
    ours, nearest = _time_each(partial(held.find_nearest, limit=100), vectors)
    scan, best = _time_each(partial(_scan, matrix), vectors)
    found = sum(len(set(list(one)[:10]) & set(other[:10].tolist())) for one, other in zip(nearest, best, strict=True))
    recall = f"recall@10 {found / 10 / len(vectors):.3f}, {held.bytes // 1_000_000:,} MB"
    return [
        (f"     {len(matrix):,} vectors in memory", f"{_spread(ours)}   {_ratio(ours, scan)} of the scan, {recall}"),
        ("     exact scan with numpy", _spread(scan)),
    ]


def _time_each(search: Callable[[Vectors], Found], vectors: Vectors) -> tuple[list[float], list[Found]]:
    """Milliseconds and results for each vector."""
    times: list[float] = []
    found: list[Found] = []
    for vector in vectors:
        began = time.perf_counter()
        found.append(search(vector))
        times.append((time.perf_counter() - began) * 1000)
    return times, found


def _ratio(ours: Sequence[float], beside: Sequence[float]) -> str:
    return f"{statistics.median(ours) / statistics.median(beside):.2f}"


async def fill_project(footnote: Backend, size: int) -> str:
    """Fill a project with `size` chunks; returns its id."""
    texts = _texts()
    model = footnote.models.embedding_model(footnote.settings.embedding_model)
    project, _ = await _fill(footnote, size, texts, await model.embed_texts(texts, "document"))
    return project.id


def numbered_texts(size: int) -> list[str]:
    """The texts of the chunks that `fill_project` makes."""
    texts = _texts()
    return [f"{texts[i % len(texts)]} Number {i}." for i in range(size)]


def _texts() -> list[str]:
    return [
        chunk.text
        for name, data in documents(1)
        for chunk in chunking.split_document(parse_file(data, name=name, media_type="text/markdown"))
    ]


def _scan(matrix: Vectors, vector: Vectors) -> NDArray[numpy.intp]:
    """The exact nearest 100 by brute force, best first."""
    scores = matrix @ vector
    best = numpy.argpartition(-scores, 100)[:100]
    return best[numpy.argsort(-scores[best])]


def _repeat(known: Vectors, places: range, random: numpy.random.Generator) -> Vectors:
    """The same vectors again and again, with noise."""
    found = numpy.empty((len(places), known.shape[1]), numpy.float32)
    for start in range(0, len(places), _BATCH):
        numbers = numpy.array(places[start : start + _BATCH]) % len(known)
        noisy = known[numbers] + random.normal(0, 0.02, (len(numbers), known.shape[1]))
        found[start : start + len(numbers)] = noisy / numpy.linalg.norm(noisy, axis=1, keepdims=True)
    return found


async def _fill(footnote: Backend, size: int, texts: list[str], known: Vectors) -> tuple[models.Project, Vectors]:
    """Fill a project with `size` chunks: the same texts repeated, with noise added to their vectors."""
    random = numpy.random.default_rng(size)
    project = await footnote.knowledge.projects.create_project(f"{size} chunks")
    space, _ = await footnote.knowledge.spaces.ensure_space(project.id)
    document = models.Document(project_id=project.id, title="Topics", media_type="text/plain", bytes=0, sha256="0" * 64)
    document.status = DocumentStatus.READY
    async with footnote.database.begin() as db:
        db.add(document)
    parts: list[Vectors] = []
    for start in range(0, size, _BATCH):
        places = range(start, min(size, start + _BATCH))
        vectors = _repeat(known, places, random)
        async with footnote.database.begin() as db:
            values = [_chunk(document, i, f"{texts[i % len(texts)]} Number {i}.") for i in places]
            statement = insert(models.Chunk).returning(models.Chunk.id, sort_by_parameter_order=True)
            ids = (await db.scalars(statement, values)).all()
            entries = [
                ChunkTerms(id, terms.count_terms("Topics", value["text"]))
                for id, value in zip(ids, values, strict=True)
            ]
            await db.run_sync(SQLiteTextIndex().add_texts, project.id, entries)
            await db.run_sync(SQLiteVectorIndex().add_vectors, SpaceKey.of_row(space), ids, vectors)
        parts.append(vectors)
    return project, numpy.concatenate(parts)


def _chunk(document: models.Document, position: int, text: str) -> dict[str, Any]:
    place = {"project_id": document.project_id, "document_id": document.id, "version": 1, "position": position}
    return {
        **place,
        "text": text,
        "heading": [],
        "page": None,
        "start_offset": 0,
        "end_offset": len(text),
        "token_count": 0,
    }


def _spread(times: Sequence[float]) -> str:
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered):6.1f} ms   p99 {ordered[int(len(ordered) * 0.99)]:6.1f} ms"


async def _alone(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"database_url": f"sqlite:///{folder}/bench.db"})
        async with open_backend(settings, "ask") as footnote:
            table("Vectors in memory", await measure_vectors(footnote, size))


if __name__ == "__main__":
    asyncio.run(_alone(int(sys.argv[1])))
