"""Vectors and postings in memory: found and scored as in the database, bounded, and of the right version."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random

import numpy
import pytest
from sqlalchemy import event, text
from sqlalchemy.orm import Session

from app.answer_options.document_filter import DocumentFilter
from app.database import opening, upgrade
from app.database.protocol import Database
from app.knowledge.index.protocol import SpaceKey, TextIndex
from app.knowledge.index.sqlite.texts import SQLiteTextIndex
from app.knowledge.index.sqlite.vectors import SQLiteVectorIndex
from app.knowledge.index.vector_cache import IDLE_SECONDS, VectorCache
from app.knowledge.index.vector_snapshot import VectorSnapshot
from app.knowledge.search.queries import SearchQuery
from app.providers.base import Vectors
from app.services import Backend, open_backend
from tests.conftest import MakeSettings
from tests.documents import add

WORDS = [
    "fox",
    "owl",
    "forest",
    "night",
    "hunt",
    "wing",
    "river",
    "stone",
    "winter",
    "feather",
    "moon",
    "path",
    "den",
    "nest",
    "prey",
    "snow",
]
MEGABYTES = 1_000_000


async def scores(backend: Backend, project_id: str, query: SearchQuery) -> dict[int, tuple[float, float | None]]:
    found = await backend.knowledge.search.search_project(project_id, query)
    assert found.vector_problem is None
    return {passage.chunk_id: (passage.score, passage.vector_score) for passage in found.passages}


async def words_found(
    backend: Backend, texts: TextIndex, project_id: str, words: str, limit: int
) -> list[tuple[int, float]]:
    found = await backend.database.run_read(lambda db: texts.search_texts(db, project_id, words, limit))
    return list(found.items())


@pytest.mark.sqlite
async def test_results_are_those_of_the_database_whoever_changes_it(make_settings: MakeSettings) -> None:
    """A second process, which has no memory, changes the same file."""
    random, settings = Random(7), make_settings()  # noqa: S311 - not a secret
    without = make_settings(database_url=settings.database_url, vector_memory_mb=0)
    async with open_backend(settings, "serve") as ours, open_backend(without, "serve") as other:
        project = await ours.knowledge.projects.create_project("changing")
        documents: dict[str, str] = {}
        for _ in range(40):
            changing = random.choice([ours, other])
            if documents and random.random() < 0.3:
                source = random.choice(sorted(documents))
                await changing.knowledge.library.delete_document(documents.pop(source))
            else:  # a new document, or a new version of one
                source = f"{random.randrange(12)}"
                paragraphs = [" ".join(random.choices(WORDS, k=120)) for _ in range(random.randrange(1, 12))]
                document = await add(changing, project.id, "\n\n".join(paragraphs), source=source)
                documents[source] = document.id
            if not documents:
                continue
            words, some = " ".join(random.choices(WORDS, k=3)), tuple(random.sample(sorted(documents.values()), 1))
            for limit in (100, 3):
                assert await words_found(ours, ours.knowledge.index.texts, project.id, words, limit) == (
                    await words_found(ours, SQLiteTextIndex(), project.id, words, limit)
                )
            # The weight is given: what a project measures of itself may change between two searches.
            ask = partial(SearchQuery, words, dense_weight=0.5)
            for query in (ask(), ask(depth=5), ask(documents=DocumentFilter(ids=some))):
                mine, theirs = await scores(ours, project.id, query), await scores(other, project.id, query)
                assert mine.keys() == theirs.keys()
                for chunk_id, found in mine.items():
                    assert found == pytest.approx(theirs[chunk_id], abs=1e-5)


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[Database]:
    database = opening.open_database(f"sqlite:///{folder / 'footnote.db'}")
    await upgrade.upgrade_database(database)
    yield database
    await database.close()


class Clock:
    """A clock that tests set."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def random_vectors(count: int, dimensions: int, seed: int = 0) -> Vectors:
    found = numpy.random.default_rng(seed).normal(size=(count, dimensions))
    return (found / numpy.linalg.norm(found, axis=1, keepdims=True)).astype(numpy.float32)


_PROJECT = text(
    "INSERT INTO projects (id, name, local_providers_only, index_version, created_at, updated_at) "
    "VALUES (:name, :name, 0, 1, '2026-01-01', '2026-01-01')"
)
_SPACE = text(
    "INSERT INTO embedding_spaces (id, project_id, model, dimensions, number, state, created_at) "
    "VALUES (:name, :name, 'm', :dimensions, 0, 'ACTIVE', '2026-01-01')"
)


async def create_space(database: Database, name: str, vectors: Vectors) -> SpaceKey:
    """A project with a space of these vectors."""
    space, index = SpaceKey(name, 0, vectors.shape[1]), SQLiteVectorIndex()

    def create(db: Session) -> None:
        db.execute(_PROJECT, {"name": name})
        db.execute(_SPACE, {"name": name, "dimensions": vectors.shape[1]})
        index.prepare_space(db, space)
        first = db.scalar(text(f"SELECT coalesce(max(rowid), 0) + 1 FROM chunk_vectors_{space.dimensions}")) or 1
        index.add_vectors(db, space, range(first, first + len(vectors)), vectors)

    await database.run_write(create)
    return space


async def test_a_large_space_is_loaded_page_by_page(tmp_path: Path) -> None:
    """Until all of it is in memory, searches use the database."""
    vectors, cache = random_vectors(8000, 4096), VectorCache(300 * MEGABYTES)
    stored, held = SQLiteVectorIndex(), SQLiteVectorIndex(cache)
    async with opened(tmp_path) as database:
        space = await create_space(database, "large", vectors)

        def search(index: SQLiteVectorIndex, db: Session) -> dict[int, float]:
            return index.find_nearest(db, space, vectors[:1], 50)

        expected = await database.run_read(lambda db: search(stored, db))
        taken: list[int] = []
        while not held.is_in_memory(space):
            found = await database.run_read(lambda db: search(held, db))
            taken.append(cache.bytes)
            assert found == pytest.approx(expected, abs=1e-5)
        assert len(taken) == 2
        assert await database.run_read(lambda db: search(held, db)) == pytest.approx(expected, abs=1e-5)


async def test_memory_is_bounded_and_the_space_searched_longest_ago_leaves(tmp_path: Path) -> None:
    clock = Clock()
    cache = VectorCache(3 * MEGABYTES, clock)
    index = SQLiteVectorIndex(cache)
    async with opened(tmp_path) as database:
        spaces = [await create_space(database, f"{i}", random_vectors(1000, 256, i)) for i in range(4)]
        too_large = await create_space(database, "large", random_vectors(4000, 256))

        async def search(space: SpaceKey) -> int:
            vector = random_vectors(1, 256, 9)
            found = await database.run_read(lambda db: index.find_nearest(db, space, vector, 10))
            assert cache.bytes <= 3 * MEGABYTES
            clock.seconds += IDLE_SECONDS
            return len(found)

        for space in (*spaces, too_large, spaces[2]):
            assert await search(space) == 10
        assert [index.is_in_memory(space) for space in spaces] == [False, False, True, True]
        assert not index.is_in_memory(too_large)


async def test_spaces_that_fit_one_at_a_time_do_not_replace_each_other_at_every_search(tmp_path: Path) -> None:
    """The one that was loaded first stays until it is idle; searches of the other read no vectors into memory."""
    vectors, clock = [random_vectors(1000, 4096, seed) for seed in (0, 1)], Clock()
    cache = VectorCache(28 * MEGABYTES, clock)  # each takes 18.5
    index, pages = SQLiteVectorIndex(cache), list[str]()

    def note_page(_: object, __: object, statement: str, *___: object) -> None:
        if "_vector_chunks00" in statement:
            pages.append(statement)

    async with opened(tmp_path) as database:
        spaces = [await create_space(database, f"{i}", vectors[i]) for i in (0, 1)]

        def search(db: Session, number: int) -> dict[int, float]:
            connection = db.connection()
            event.listen(connection, "before_cursor_execute", note_page)
            try:
                return index.find_nearest(db, spaces[number], vectors[number][:1], 10)
            finally:
                event.remove(connection, "before_cursor_execute", note_page)

        async def count_pages(*numbers: int) -> int:
            before = len(pages)
            for number in numbers:
                found = await database.run_read(lambda db, number=number: search(db, number))
                assert len(found) == 10
                assert max(found.values()) == pytest.approx(1, abs=1e-5)
                assert cache.bytes <= 28 * MEGABYTES
            return len(pages) - before

        def in_memory() -> list[bool]:
            return [index.is_in_memory(space) for space in spaces]

        loading = await count_pages(*[0, 1] * 20)
        assert 1 <= loading <= 5
        assert in_memory() == [True, False]
        clock.seconds += IDLE_SECONDS - 1
        assert await count_pages(1, 1) == 0
        clock.seconds += 1
        assert await count_pages(*[1, 0] * 20) == loading
        assert in_memory() == [False, True]


async def test_a_removed_project_leaves_the_memory_of_every_process(make_settings: MakeSettings) -> None:
    settings = make_settings()
    async with open_backend(settings, "serve") as ours, open_backend(settings, "serve") as other:
        projects = [await ours.knowledge.projects.create_project(name) for name in ("gone", "stays")]
        for project in projects:
            await add(ours, project.id, "The red fox lives in forests.")
            for backend in (ours, other):
                assert await scores(backend, project.id, SearchQuery("fox"))
        spaces = await ours.knowledge.spaces.spaces_by_project([project.id for project in projects])
        gone, stays = (SpaceKey.from_row(rows[0]) for rows in spaces)
        await ours.knowledge.project_deletion.delete_project(projects[0].id)
        assert not ours.knowledge.index.vectors.is_in_memory(gone)
        await add(ours, projects[1].id, "An owl turns its head.")
        assert len(await scores(other, projects[1].id, SearchQuery("fox"))) == 2
        assert not other.knowledge.index.vectors.is_in_memory(gone)
        assert other.knowledge.index.vectors.is_in_memory(stays)


def test_versions_that_share_memory_do_not_see_each_other() -> None:
    vectors, nothing = random_vectors(900, 16), numpy.empty(0, numpy.int64)
    versions: list[tuple[VectorSnapshot, dict[int, int]]] = []
    snapshot, rows = VectorSnapshot.empty(16, 10), dict[int, int]()
    random = Random(3)  # noqa: S311 - not a secret
    for number in range(60):
        gone = numpy.array(random.sample(sorted(rows), k=min(len(rows), random.randrange(9))), dtype=numpy.int64)
        ids = numpy.arange(number * 15, number * 15 + random.randrange(15))
        snapshot = snapshot.update(number, gone, ids, [vectors[ids]], is_complete=True)
        rows = {id: id for id in rows if id not in gone} | {int(id): int(id) for id in ids}
        versions.append((snapshot, rows))
    for snapshot, rows in versions:
        query = vectors[:1]
        expected = {id: float(vectors[id] @ query[0]) for id in rows}
        assert snapshot.find_nearest(query, 10_000) == pytest.approx(expected, abs=1e-6)
        assert snapshot.score_chunks(query, numpy.arange(900)) == pytest.approx(expected, abs=1e-6)
        assert snapshot.find_nearest(query, 10_000, nothing) == {}


def large_space(vectors: Vectors) -> VectorSnapshot:
    nothing, ids = numpy.empty(0, numpy.int64), numpy.arange(len(vectors))
    return VectorSnapshot.empty(vectors.shape[1], len(vectors)).update(1, nothing, ids, [vectors], is_complete=True)


def test_vectors_that_could_not_all_be_read_leave_nothing_behind() -> None:
    """Where a blank text was, of which all numbers are zero, comes another chunk at the next attempt."""
    none, ids, unit = numpy.empty(0, numpy.int64), numpy.array([7]), numpy.full((1, 4), 0.5, numpy.float32)
    empty = VectorSnapshot.empty(4, 1)

    def break_off() -> Iterator[Vectors]:
        yield numpy.zeros((1, 4), numpy.float32)
        raise OSError("the disk fails")

    with pytest.raises(OSError, match="the disk fails"):
        empty.update(1, none, ids, break_off(), is_complete=True)
    assert empty.update(1, none, ids, [unit], is_complete=True).find_nearest(unit, 1) == {7: 1.0}


@pytest.mark.parametrize("first_half", [3.0, 0.01])
def test_among_many_vectors_the_best_are_found_whatever_the_first_dimensions_say(first_half: float) -> None:
    """With 3.0 they say nearly everything, and candidates are chosen by them; with 0.01 next to nothing."""
    vectors = random_vectors(120_000, 32) * numpy.repeat([first_half, 1.0], 16).astype(numpy.float32)
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    snapshot, found = large_space(vectors), 0
    for number in range(60):
        query = vectors[number : number + 1]
        best = numpy.argsort(-(vectors @ query[0]))[:10]
        nearest = snapshot.find_nearest(query, 10)
        assert all(abs(score - vectors[id] @ query[0]) < 1e-5 for id, score in nearest.items())
        found += len(nearest.keys() & set(best.tolist()))
    assert found >= 0.98 * 600


def test_all_that_are_asked_for_are_found_whatever_the_order_of_the_rows() -> None:
    vectors = random_vectors(120_000, 32) * numpy.repeat([3.0, 0.1], [12, 20]).astype(numpy.float32)
    vectors[::7] += vectors[0]  # as passages of one kind in documents that have seven each
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    snapshot, query = large_space(vectors), vectors[:1]
    for _ in range(12):  # the first ten compare both ways, and find that the candidates hold the best
        snapshot.find_nearest(query, 10)
    best = set(numpy.argsort(-(vectors @ query[0]))[:1_000].tolist())
    nearest = snapshot.find_nearest(query, 1_000)
    assert len(nearest) == 1_000
    assert len(nearest.keys() & best) >= 980


def test_a_deleted_document_about_the_question_takes_no_candidates_away() -> None:
    vectors = random_vectors(120_000, 32) * numpy.repeat([3.0, 0.1], [12, 20]).astype(numpy.float32)
    vectors[:20_000] += 5 * vectors[0]
    vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)
    snapshot, query = large_space(vectors), vectors[:1]
    left = snapshot.update(2, numpy.arange(20_000), numpy.empty(0, numpy.int64), [], is_complete=True)
    best = set((20_000 + numpy.argsort(-(vectors[20_000:] @ query[0]))[:50]).tolist())
    for _ in range(12):  # the first ten compare both ways, and find that the candidates hold the best
        snapshot.find_nearest(vectors[50_000:50_001], 50)
    assert len(left.find_nearest(query, 50).keys() & best) >= 49


async def test_blocks_of_vectors_are_found_without_reading_those_of_other_projects(
    make_settings: MakeSettings,
) -> None:
    """It is what sqlite-vec asks to search a space, and for each vector to be added, and what fills the memory."""
    async with open_backend(make_settings(), "ask") as footnote:
        project = await footnote.knowledge.projects.create_project("one")
        await footnote.knowledge.spaces.ensure_space(project.id)
        for asked in ("chunk_id, validity, rowids", "max(rowid)"):
            blocks = text(f"EXPLAIN QUERY PLAN SELECT {asked} FROM chunk_vectors_256_chunks WHERE partition00 = 'x'")
            [step] = await footnote.database.run_read(lambda db, blocks=blocks: db.execute(blocks).all())
            assert step[-1].startswith("SEARCH"), step
