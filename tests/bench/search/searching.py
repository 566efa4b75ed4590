"""Measure how long a search takes as projects grow, beside its statements by hand and an exact scan with numpy."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy
from numpy.typing import NDArray
from sqlalchemy import insert

from app.cli.server.garbage import GarbageCollector
from app.database import models
from app.knowledge import chunking
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms, SpaceKey
from app.knowledge.index.sqlite.texts import SQLiteTextIndex
from app.knowledge.index.sqlite.vectors import SQLiteVectorIndex
from app.knowledge.index.vector_snapshot import VectorSnapshot
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.search.queries import SearchQuery
from app.providers.base import Vectors
from app.providers.embedded.word_vectors import WordVectors
from app.services import Backend
from app.statuses import DocumentStatus
from tests.bench.measured import Row, at_least, compare_tail, compare_times, timed
from tests.bench.peers.by_hand import RawSearch, opened
from tests.bench.texts import documents, questions

SIZES = (1_000, 10_000, 100_000)
_BATCH = 2_000
# How often the questions are asked again: with fewer, the 99th percentile would be a single one.
_AGAIN = 5
# What is aimed at: by number of chunks, times the statements by hand; the 99th percentile, times the median; and by
# number of vectors, times the exact scan.
_LIMITS = {10_000: 2.0, 100_000: 1.5}
_TAIL_LIMIT = 3.0
_SCAN_LIMITS = {100_000: 1.0, 1_000_000: 0.6}

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
        GarbageCollector.tune()  # as a server does
        (loading, *first), *later = [
            [await timed(partial(search, project.id, SearchQuery(question))) for question in questions()]
            for _ in range(1 + _AGAIN)
        ]
        again = [time for times in later for time in times]
        vectors = await model.embed_texts(questions(), "query")
        with opened(footnote.database.name) as connection:
            hand = RawSearch(connection, project.id)
            by_hand = [hand.search(*each) for each in zip(questions(), vectors, strict=True)]
        limit, chunks = _LIMITS.get(size), f"{size:,} chunks"
        rows += [
            compare_times(f"{chunks}, first search: loads", [loading], "statements by hand", by_hand),
            compare_times(f"{chunks}, new questions", first, "statements by hand", by_hand, limit),
            compare_times(f"{chunks}, questions again", again, "statements by hand", by_hand, limit),
            compare_tail(f"{chunks}, questions again", again, limit and _TAIL_LIMIT),
            *_measure_vectors(_hold(matrix), matrix, vectors),
        ]
    return rows


async def measure_vectors(size: int = 1_000_000) -> list[Row]:
    """The nearest of so many vectors in memory, without a database."""
    encoder = WordVectors()
    known = encoder.unit_vectors(_texts())
    matrix = _repeat(known, range(size), numpy.random.default_rng(size))
    return _measure_vectors(_hold(matrix), matrix, encoder.unit_vectors(questions()))


def _hold(matrix: Vectors) -> VectorSnapshot:
    nothing, ids = numpy.empty(0, numpy.int64), numpy.arange(len(matrix))
    return VectorSnapshot.empty(matrix.shape[1], len(matrix)).update(1, nothing, ids, [matrix], is_complete=True)


def _measure_vectors(snapshot: VectorSnapshot, matrix: Vectors, vectors: Vectors) -> list[Row]:
    """The nearest 100 in memory beside an exact scan, and how many of the best ten are found.

    One after the other: after a scan, the threads of numpy's BLAS keep a core busy for a while.
    """
    for vector in vectors[:10]:
        snapshot.find_nearest(vector, 100)  # the first searches of a large space try out what is faster
    ours, nearest = _time_each(partial(snapshot.find_nearest, limit=100), vectors)
    scan, best = _time_each(partial(_scan, matrix), vectors)
    found = sum(len(set(list(one)[:10]) & set(other[:10].tolist())) for one, other in zip(nearest, best, strict=True))
    recall, memory = found / 10 / len(vectors), snapshot.bytes // 1_000_000
    name, limit = f"{len(matrix):,} vectors in memory", _SCAN_LIMITS.get(len(matrix))
    return [
        compare_times(name, ours, "exact numpy scan", scan, limit),
        Row(
            "  recall@10 of the scan; memory",
            f"{recall:.3f}; {memory:,} MB",
            f"the matrix {matrix.nbytes // 1_000_000:,} MB",
            snapshot.bytes / matrix.nbytes,
            at_least(0.98, recall, "recall") if limit else None,
        ),
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
            await db.run_sync(SQLiteVectorIndex().add_vectors, SpaceKey.from_row(space), ids, vectors)
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
