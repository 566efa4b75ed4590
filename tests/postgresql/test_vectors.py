"""HNSW graphs of large projects in PostgreSQL: what they find, and that exact search stands in for them."""

from collections.abc import AsyncGenerator, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy
import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from app.answer_options.document_filter import DocumentFilter
from app.database import models
from app.knowledge.index.protocol import ChunkTerms, SpaceKey
from app.knowledge.index.terms import count_terms
from app.knowledge.search.queries import SearchQuery
from app.providers.base import Vectors
from app.services import Backend, open_backend
from app.settings import Settings
from app.statuses import DocumentStatus
from tests import postgres
from tests.looking import pause
from tests.statements import recorded_work

MIN_PASSAGES = 40
FOUND = 100
GRAPHS = "SELECT count(*) FROM pg_index WHERE indexrelid::regclass::text LIKE 'chunk_vectors_near_%'"
SEARCHED = "SELECT coalesce(sum(idx_scan), 0)::int FROM pg_stat_user_indexes WHERE indexrelname LIKE '%_near_%'"
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


@dataclass(frozen=True)
class Filled:
    """A project, and the chunks of each of its documents."""

    id: str
    documents: dict[str, list[int]]

    @property
    def chunks(self) -> set[int]:
        return {chunk for chunks in self.documents.values() for chunk in chunks}


@pytest.fixture
def url() -> Generator[str]:
    with postgres.fresh_database() as fresh:
        yield fresh


@pytest.fixture
async def footnote(url: str) -> AsyncGenerator[Backend]:
    async with open_backend(_settings(url, MIN_PASSAGES), "ask") as backend:
        yield backend


def _settings(url: str, min_passages: int) -> Settings:
    values = {"vector_index_min_passages": min_passages, "vector_memory_mb": 0, "search_cache_seconds": 0}
    return Settings.model_validate({"database_url": url, **values})


async def fill(backend: Backend, name: str, sizes: Sequence[int]) -> Filled:
    """A project with documents of so many chunks; all projects have the same vectors."""
    random = numpy.random.default_rng(0)
    project = await backend.knowledge.projects.create_project(name)
    space, _ = await backend.knowledge.spaces.ensure_space(project.id)
    documents: dict[str, list[int]] = {}
    for place, size in enumerate(sizes):
        values = {"title": str(place), "media_type": "text/plain", "bytes": 0, "sha256": f"{place:064}"}
        document = models.Document(project_id=project.id, status=DocumentStatus.READY, **values)
        vectors = random.normal(size=(size, space.dimensions)).astype(numpy.float32)
        vectors /= numpy.linalg.norm(vectors, axis=1, keepdims=True)

        def store(db: Session, document: models.Document = document, vectors: Vectors = vectors) -> None:
            db.add(document)
            db.flush()
            rows = [{"position": position} | _chunk(document) for position in range(len(vectors))]
            ids = list(db.scalars(insert(models.Chunk).returning(models.Chunk.id), rows))
            entries = [ChunkTerms(id, count_terms("", "the same words")) for id in ids]
            backend.knowledge.index.texts.add_texts(db, project.id, entries)
            backend.knowledge.index.vectors.add_vectors(db, SpaceKey.from_row(space), ids, vectors)
            documents[document.id] = ids

        await backend.database.run_write(store)
    return Filled(project.id, documents)


def _chunk(document: models.Document) -> dict[str, Any]:
    place: dict[str, Any] = {"project_id": document.project_id, "document_id": document.id, "version": 1}
    return place | {"text": "the same words", "heading": [], "start_offset": 0, "end_offset": 0, "token_count": 3}


async def find(backend: Backend, project: Filled, documents: Sequence[str] | None = None) -> dict[int, float]:
    """What the front door finds by meaning: chunk id → score."""
    which = None if documents is None else DocumentFilter(ids=tuple(documents))
    query = SearchQuery("Which vector is near?", limit=FOUND, mode="VECTOR", documents=which)
    found = await backend.knowledge.search.search_project(project.id, query)
    assert found.vector_problem is None
    return {passage.chunk_id: passage.score for passage in found.passages}


async def make_graphs(backend: Backend) -> None:
    await backend.knowledge.index.vectors.update_graphs(backend.database)


async def test_large_projects_are_searched_by_their_own_graph(url: str) -> None:
    # A table as small as this would be sorted whole.
    name = postgres.fetch_value(url, "SELECT current_database()")
    postgres.run_statements(f"ALTER DATABASE {name} SET enable_sort = off")
    async with open_backend(_settings(url, MIN_PASSAGES), "ask") as backend:
        one, other = await fill(backend, "one", [250, 45, 5]), await fill(backend, "other", [250, 45, 5])
        await fill(backend, "small", [MIN_PASSAGES - 1])
        exact = await find(backend, one)
        assert len(exact) == FOUND  # without a graph
        await make_graphs(backend)
        assert postgres.fetch_value(url, GRAPHS) == 2
        before = await find(backend, one)
        assert len(before.keys() & exact.keys()) >= 0.97 * FOUND
        assert {chunk: exact[chunk] for chunk in before if chunk in exact} == pytest.approx(
            {chunk: score for chunk, score in before.items() if chunk in exact}, abs=1e-6
        )
        assert before.keys() <= one.chunks
        assert (await find(backend, other)).keys() <= other.chunks
    while postgres.fetch_value(url, OTHERS):
        await pause()  # a connection counts what it did when it ends
    assert postgres.fetch_value(url, SEARCHED) >= 2


async def test_a_filter_loses_nothing(footnote: Backend) -> None:
    project = await fill(footnote, "one", [250, 45, 5])
    await fill(footnote, "other", [250, 45, 5])
    large, medium, small = project.documents
    exact = await find(footnote, project, [large])
    await make_graphs(footnote)
    found = await find(footnote, project, [large])
    assert found.keys() <= set(project.documents[large])
    assert len(found.keys() & exact.keys()) >= 0.97 * FOUND
    assert (await find(footnote, project, [medium])).keys() == set(project.documents[medium])
    assert (await find(footnote, project, [small])).keys() == set(project.documents[small])
    both = await find(footnote, project, [medium, small])
    assert both.keys() == {*project.documents[medium], *project.documents[small]}


async def test_changes_are_found_at_once(footnote: Backend, url: str) -> None:
    project, other = await fill(footnote, "one", [250, 45]), await fill(footnote, "other", [60])
    await make_graphs(footnote)
    large, medium = project.documents
    await footnote.knowledge.library.delete_document(large)
    assert (await find(footnote, project)).keys() == set(project.documents[medium])
    await make_graphs(footnote)
    assert postgres.fetch_value(url, GRAPHS) == 2
    await footnote.knowledge.project_deletion.delete_project(other.id)
    await make_graphs(footnote)
    assert postgres.fetch_value(url, GRAPHS) == 1


async def test_a_graph_that_was_not_finished_is_made_again(footnote: Backend, url: str) -> None:
    project = await fill(footnote, "one", [200])
    await make_graphs(footnote)
    state = "UPDATE pg_index SET indisvalid = false WHERE indexrelid::regclass::text LIKE 'chunk_vectors_near_%'"
    postgres.run_statements(state, url=url)
    assert len(await find(footnote, project)) == FOUND
    assert await footnote.database.find_damage() == []
    await make_graphs(footnote)
    assert postgres.fetch_value(url, f"{GRAPHS} AND indisvalid") == 1


async def test_graphs_are_dropped_where_none_are_wanted(footnote: Backend, url: str) -> None:
    project = await fill(footnote, "one", [200])
    await make_graphs(footnote)
    async with open_backend(_settings(url, 0), "ask") as without:
        found = await find(without, project)
        await make_graphs(without)
    assert postgres.fetch_value(url, GRAPHS) == 0
    assert len(found) == FOUND


async def test_vectors_without_a_chunk_are_found_in_one_pass_and_removed(footnote: Backend, url: str) -> None:
    project, other = await fill(footnote, "one", [5]), await fill(footnote, "other", [5])
    index, database = footnote.knowledge.index.vectors, footnote.database
    foreign, gone = min(other.chunks), max(other.chunks) + 1
    copied = "INSERT INTO chunk_vectors SELECT space_id, {}, embedding FROM chunk_vectors WHERE chunk_id = {}"
    for chunk in (foreign, gone):
        postgres.run_statements(copied.format(chunk, min(project.chunks)), url=url)
    with recorded_work(_settings(url, 0)) as work:
        async with database.read() as db:
            found = await index.find_discrepancies(db)
    assert [chunk for _, chunk in found.stray_rows] == [foreign, gone]
    assert found.missing_chunks == ()
    [looking] = [statement for statement in work.statements if "vector_dims" in statement]
    plan = postgres.fetch_rows(url, f"EXPLAIN {looking}")
    assert "SubPlan" not in str(plan), "what does not fit into memory would be read again for each vector"
    async with database.begin() as db:
        await index.repair_discrepancies(db, found)
    assert postgres.fetch_value(url, "SELECT count(*) FROM chunk_vectors") == 10
    async with database.read() as db:
        assert (await index.find_discrepancies(db)).stray_rows == ()
