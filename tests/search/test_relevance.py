"""Relevance: what scores mean is measured on a project's own chunks, and again as it grows."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from pydoc_data.topics import topics

import numpy
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from typer.testing import CliRunner

from app.cli.commands import cli
from app.knowledge import relevance
from app.knowledge.relevance import Relevance
from app.knowledge.search.queries import SearchQuery
from app.services import Backend, open_backend
from tests.conftest import MakeSettings
from tests.documents import add
from tests.looking import pause

PROSE = [part for name in sorted(topics) for part in topics[name].split("\n\n") if 200 < len(part) < 900]


async def fill(footnote: Backend, project_id: str, texts: list[str]) -> None:
    """Add texts as documents."""
    for number, content in enumerate(texts):
        await add(footnote, project_id, content, media_type="text/plain", title=f"Part {number}")


async def measured(footnote: Backend, project_id: str, least: int) -> int:
    """Wait until the project was measured with at least so many chunks, and return how many they were."""
    async with asyncio.timeout(120):
        while True:
            space, _ = await footnote.knowledge.spaces.ensure_space(project_id)
            if space.measured_chunks >= least:
                return space.measured_chunks
            await pause()


async def test_a_project_is_measured_when_it_is_large_enough_and_again_when_it_has_doubled(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("growing")

    async def used() -> Relevance:
        found = await footnote.knowledge.search.search_project(project.id, SearchQuery("What is an object?"))
        [shown] = await footnote.knowledge.search.relevance_by_project([project.id])
        assert found.threshold == shown.threshold
        return shown

    await fill(footnote, project.id, PROSE[:5])
    assert await used() == relevance.DEFAULT
    await fill(footnote, project.id, PROSE[5:30])
    first = await measured(footnote, project.id, relevance.MIN_CHUNKS)
    before = await used()
    assert before != relevance.DEFAULT
    await fill(footnote, project.id, PROSE[30:75])
    await measured(footnote, project.id, 2 * first)
    assert await used() != before


def test_a_command_that_adds_documents_ends_when_their_project_is_measured(tmp_path: Path) -> None:
    """Nothing else would measure it before the next question on the command line."""
    (tmp_path / "prose.txt").write_text("\n\n".join(PROSE))
    with contextlib.chdir(tmp_path), contextlib.closing(sqlite3.connect(tmp_path / "footnote.db")) as connection:
        for done in ("1 ingested", "1 unchanged"):
            result = CliRunner().invoke(cli, ["ingest", "prose.txt", "-p", "prose"])
            assert (result.exit_code, done in result.output) == (0, True), result.output
            [(measured_chunks,)] = connection.execute("SELECT measured_chunks FROM embedding_spaces").fetchall()
            assert measured_chunks > relevance.MIN_CHUNKS
            connection.execute("UPDATE embedding_spaces SET measured_chunks = 0")
            connection.commit()


async def test_meaning_weighs_less_among_the_passages_of_one_long_text(footnote: Backend) -> None:
    weights: list[float] = []
    for texts in (PROSE[:30], ["\n\n".join(PROSE[:100])]):
        project = await footnote.knowledge.projects.create_project(f"in {len(texts)}")
        await fill(footnote, project.id, texts)
        await measured(footnote, project.id, relevance.MIN_CHUNKS)
        [shown] = await footnote.knowledge.search.relevance_by_project([project.id])
        weights.append(shown.dense_weight)
    apart, together = weights
    assert together < 0.16 < apart


async def test_what_an_older_version_left_unmeasured_is_measured_at_a_start(make_settings: MakeSettings) -> None:
    settings = make_settings()
    async with open_backend(settings, "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("older")
        await fill(footnote, project.id, PROSE[:30])
        await measured(footnote, project.id, relevance.MIN_CHUNKS)
        async with footnote.database.begin() as db:
            await db.execute(text("UPDATE embedding_spaces SET measured_chunks = 0, dense_weight = NULL"))
        assert await footnote.knowledge.search.relevance_by_project([project.id]) == [relevance.DEFAULT]
    async with open_backend(settings, "serve") as footnote:
        await measured(footnote, project.id, relevance.MIN_CHUNKS)
        assert await footnote.knowledge.search.relevance_by_project([project.id]) != [relevance.DEFAULT]


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_measurement_is_out_of_date_when_the_chunks_have_doubled_or_halved(measured: int, chunks: int) -> None:
    expected = chunks >= relevance.MIN_CHUNKS and (chunks >= 2 * measured or 2 * chunks <= measured)
    assert relevance.is_out_of_date(measured, chunks) == expected
    assert relevance.is_out_of_date(0, chunks) == (chunks >= relevance.MIN_CHUNKS)


@given(st.lists(st.text(max_size=60), max_size=5), st.integers())
def test_words_are_mixed_from_any_texts(texts: list[str], seed: int) -> None:
    mixtures = relevance.mix_words(texts, 3, seed)
    assert mixtures == relevance.mix_words(texts, 3, seed)
    assert len(mixtures) in (0, 3)
    assert len(relevance.pick_sentences(texts, seed)) == len(texts)


@given(st.floats(allow_nan=True), st.lists(st.floats(-1, 1), max_size=5), st.floats(0, 1))
def test_weight_and_threshold_stay_within_their_bounds(separation: float, noise: list[float], same: float) -> None:
    found = relevance.calibrate(separation, noise, same)
    assert 0.05 <= found.dense_weight <= 0.334
    assert 0.15 <= found.threshold <= 0.4


def test_a_model_that_tells_chunks_apart_weighs_more() -> None:
    chance = numpy.random.default_rng(1)
    noise = chance.normal(0.2, 0.1, (40, 200)).astype(numpy.float32)
    own = list(range(40))
    found: list[float] = []
    for stands_out in (0.0, 0.2, 0.6):
        cosines = noise.copy()
        cosines[own, own] += stands_out
        found.append(relevance.calibrate(relevance.measure_separation(cosines, own), [0.5], 0).dense_weight)
    assert found == sorted(set(found))


def test_noise_raises_the_threshold() -> None:
    assert relevance.calibrate(6, [0.1, 0.2, 0.3], 0).threshold < relevance.calibrate(6, [0.7, 0.8, 0.9], 0).threshold
