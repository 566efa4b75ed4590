"""Compare searching one project alone in its database with the same project among many others.

`python -m tests.bench tenants 1000 1000` fills 1,000 projects of 1,000 chunks, which takes some minutes.
"""

import tempfile
import time
from collections.abc import Sequence
from functools import partial

from app.knowledge import chunking
from app.knowledge.index import terms
from app.knowledge.index.protocol import ChunkTerms
from app.knowledge.index.sqlite.texts import SQLiteTextIndex
from app.knowledge.parsing.dispatch import parse_file
from app.services import Backend, open_backend
from app.settings import Settings
from tests.bench.measured import Aim, Row, compare_times, timed
from tests.bench.texts import documents, questions


async def measure(projects: int = 1_000, chunks: int = 1_000) -> list[Row]:
    """Fill and search one project in a fresh database; then fill others beside it and search again."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"database_url": f"sqlite:///{folder}/bench.db"})
        async with open_backend(settings, "ask") as footnote:
            return await _measure(footnote, projects, chunks)


async def _measure(footnote: Backend, projects: int, chunks: int) -> list[Row]:
    counted = [
        terms.count_terms("Topics", chunk.text)
        for name, data in documents(1)
        for chunk in chunking.split_document(parse_file(data, name=name, media_type="text/markdown"))
    ]
    measured = await footnote.knowledge.projects.create_project("measured")
    await _fill(footnote, measured.id, counted, range(1, chunks + 1))
    alone = [await timed(partial(_find, footnote, measured.id, question)) for question in questions()]
    scores = [await _find(footnote, measured.id, question) for question in questions()]
    start = time.process_time()
    for place in range(1, projects):
        project = await footnote.knowledge.projects.create_project(f"neighbor {place}")
        await _fill(footnote, project.id, counted, range(place * chunks + 1, (place + 1) * chunks + 1))
    spent = time.process_time() - start
    beside = [await timed(partial(_find, footnote, measured.id, question)) for question in questions()]
    same = scores == [await _find(footnote, measured.id, question) for question in questions()]
    size = (projects - 1) * chunks
    return [
        compare_times(f"{chunks:,} chunks beside {projects - 1:,} projects", beside, "alone", alone),
        Row("scores beside other projects", "equal" if same else "different", aim=Aim("equal", same)),
        Row("adding a chunk", f"{spent / max(1, size) * 1000:.3f} ms CPU"),
    ]


async def _fill(footnote: Backend, project_id: str, counted: Sequence[terms.CountedTerms], ids: range) -> None:
    entries = [ChunkTerms(id, counted[id % len(counted)]) for id in ids]
    async with footnote.database.begin() as db:
        await db.run_sync(SQLiteTextIndex().add_texts, project_id, entries)


async def _find(footnote: Backend, project_id: str, question: str) -> dict[int, float]:
    return await footnote.database.run_read(lambda db: SQLiteTextIndex().search_texts(db, project_id, question, 100))
