"""Measure how long a search takes as projects grow, next to an exact scan with numpy."""

from functools import partial
from typing import Any

import numpy
from sqlalchemy import insert

from app.database import models
from app.knowledge import chunking
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms, SpaceKey
from app.knowledge.index.sqlite_texts import SQLiteTextIndex
from app.knowledge.index.sqlite_vectors import SQLiteVectorIndex
from app.knowledge.parsing.dispatch import parse_file
from app.knowledge.search.hybrid import SearchQuery
from app.providers.base import Vectors
from app.services import Backend
from app.statuses import DocumentStatus
from tests.bench.measured import Row, spread, timed
from tests.bench.texts import documents, questions

SIZES = (1_000, 10_000, 100_000)
_BATCH = 2_000


async def measure(footnote: Backend, sizes: tuple[int, ...] = SIZES) -> list[Row]:
    """Fill a project of each size straight through the index, then search it."""
    texts = _texts()
    model = footnote.models.embedding_model(footnote.settings.embedding_model)
    known = await model.embed_texts(texts, "document")
    rows: list[Row] = []
    for size in sizes:
        project, matrix = await _fill(footnote, size, texts, known)
        ours = [
            await timed(partial(footnote.knowledge.search.search_project, project.id, SearchQuery(q)))
            for q in questions()
        ]
        vectors = await model.embed_texts(questions(), "query")
        scan = [await timed(partial(_scan, matrix, v)) for v in vectors]
        rows += [(f"{size:>7,} chunks, hybrid search", spread(ours)), (f"{size:>7,} chunks, numpy scan", spread(scan))]
    return rows


async def fill_project(footnote: Backend, size: int) -> str:
    """Fill a project with `size` chunks; returns its id."""
    texts = _texts()
    model = footnote.models.embedding_model(footnote.settings.embedding_model)
    project, _ = await _fill(footnote, size, texts, await model.embed_texts(texts, "document"))
    return project.id


def _texts() -> list[str]:
    return [
        chunk.text
        for name, data in documents(1)
        for chunk in chunking.split_document(parse_file(data, name=name, media_type="text/markdown"))
    ]


async def _scan(matrix: Vectors, vector: Vectors) -> None:
    """The exact nearest 100 by brute force."""
    scores = matrix @ vector
    numpy.argpartition(-scores, 100)[:100]


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
        noisy = known[[i % len(texts) for i in places]] + random.normal(0, 0.02, (len(places), known.shape[1]))
        vectors = (noisy / numpy.linalg.norm(noisy, axis=1, keepdims=True)).astype(numpy.float32)
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
