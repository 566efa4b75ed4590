"""The pages of the full-text index say the same as its virtual tables, however it has grown and shrunk."""

import random
from collections.abc import Callable
from typing import TypeVar

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from app.knowledge.index.protocol import ChunkTerms
from app.knowledge.index.scored_texts import COUNTS
from app.knowledge.index.sqlite import fts5_pages
from app.knowledge.index.sqlite.texts import SQLiteTextIndex
from app.knowledge.index.terms import CountedTerms
from app.services import Backend

Result = TypeVar("Result")

WORDS = ["everywhere", "often", "at", "ate", "áé", "seldom", "zebra", *(f"word{number}" for number in range(500))]
WEIGHTS = [400, 80, 40, 20, 10, 5, 1, *[1] * 500]


def chunk_terms(id: int, chance: random.Random) -> ChunkTerms:
    counts = {word: chance.choice([1, 1, 1, 2, 5, 20]) for word in chance.choices(WORDS, WEIGHTS, k=20)}
    return ChunkTerms(id, CountedTerms(sum(counts.values()), counts))


async def write(footnote: Backend, work: Callable[[Session], Result]) -> Result:
    return await footnote.database.run_write(work)


def find_differences(db: Session) -> list[str]:
    """The terms for which pages and virtual tables disagree; the pages must be readable."""
    stored = text("SELECT doc, CAST(substr(col, 2) AS INTEGER) FROM chunk_postings WHERE term = :term ORDER BY doc")
    different = list[str]()
    terms = db.scalars(text("SELECT term FROM chunk_terms")).all()
    assert len(terms) >= len(WORDS)
    for term in [*terms, "1xmissing", "1", "9x"]:
        rows, columns = fts5_pages.read_term(db.connection(), term)
        found = db.execute(stored, {"term": term}).all()
        if rows.tolist() != [row[0] for row in found] or [COUNTS[column] for column in columns] != [
            row[1] for row in found
        ]:
            different.append(term)
    return different


@pytest.mark.parametrize("seed", [1, 2])
async def test_pages_and_tables_agree(footnote: Backend, seed: int) -> None:
    chance, index = random.Random(seed), SQLiteTextIndex()  # noqa: S311
    projects = [(await footnote.knowledge.projects.create_project(name)).id for name in ("A", "B")]
    ids = iter(range(1, 1_000_000, chance.choice([1, 7, 300])))
    kept: dict[str, list[int]] = {project: [] for project in projects}
    for _ in range(12):
        for project in projects:
            added = [chunk_terms(next(ids), chance) for _ in range(chance.choice([1, 40, 700]))]
            await write(footnote, lambda db, project=project, added=added: index.add_texts(db, project, added))
            kept[project] += [each.chunk_id for each in added]
            gone = chance.sample(kept[project], k=len(kept[project]) // chance.choice([3, 50, 1000]))
            await write(footnote, lambda db, project=project, gone=gone: index.remove_texts(db, project, gone))
            kept[project] = [id for id in kept[project] if id not in set(gone)]
    assert await footnote.database.run_read(find_differences) == []
    await write(footnote, lambda db: db.execute(text("INSERT INTO chunk_texts(chunk_texts) VALUES ('optimize')")))
    assert await footnote.database.run_read(find_differences) == []


async def test_another_format_is_not_read(footnote: Backend) -> None:
    await write(footnote, lambda db: db.execute(text("UPDATE chunk_texts_config SET v = 9 WHERE k = 'version'")))
    with pytest.raises(fts5_pages.UnknownFormat):
        await footnote.database.run_read(lambda db: fts5_pages.read_term(db.connection(), "1xword"))
