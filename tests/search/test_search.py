"""Search: isolated by project, safe against query syntax, with meaningful scores."""

import asyncio
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answer_options import SearchMode
from app.answer_options.document_filter import DocumentFilter
from app.knowledge.search.fusion import fuse_scores, lift_scores
from app.knowledge.search.queries import SearchQuery
from app.services import Backend
from tests.documents import add

HOSTILE = [
    '"',
    "' OR 1=1 --",
    "AND OR NOT",
    "NEAR(a b)",
    "col:term*",
    "(",
    "-x",
    "^",
    "a\0b",
    "{}",
    "*",
    "🦊",
    "title : x",
]


@pytest.fixture
async def project_id(footnote: Backend) -> str:
    project = await footnote.knowledge.projects.create_project("zoo")
    await add(footnote, project.id, "# Foxes\n\nThe red fox lives in forests and hunts at night.", title="Foxes")
    await add(footnote, project.id, "# Owls\n\nAn owl turns its head by 270 degrees.", title="Owls")
    await add(footnote, project.id, "# 狐狸\n\n狐狸是一种夜行动物，生活在森林里。", title="狐狸")
    return project.id


async def test_each_mode_finds_and_scores_in_range(footnote: Backend, project_id: str) -> None:
    modes: tuple[SearchMode, ...] = ("HYBRID", "LEXICAL", "VECTOR")
    for mode in modes:
        query = SearchQuery("Which animal turns its head?", mode=mode)
        found = await footnote.knowledge.search.search_project(project_id, query)
        assert found.passages[0].document_title == "Owls", mode
        scores = [passage.score for passage in found.passages]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)
        assert (found.passages[0].vector_score is None) == (mode == "LEXICAL")
        assert (found.passages[0].lexical_score is None) == (mode == "VECTOR")


async def test_the_cosine_of_a_text_with_itself_is_one_and_no_more(footnote: Backend) -> None:
    """Rounded, some products of a vector with itself are a little more."""
    project = await footnote.knowledge.projects.create_project("echo")
    animals = ("fox", "owl", "lark", "bee", "moor", "castle", "river", "bread", "apple", "tower")
    texts = [f"Sentence number {number} about the {animal}" for number in range(2) for animal in animals]
    for text in texts:
        await add(footnote, project.id, f"{text}.", title=text)
    for text in texts:
        query = SearchQuery(f"{text}\n{text}.", mode="VECTOR", limit=1)  # what was embedded: the title and the text
        [found] = (await footnote.knowledge.search.search_project(project.id, query)).passages
        assert found.vector_score is not None and 0.999 < found.vector_score <= 1


async def test_user_text_is_never_query_syntax(footnote: Backend, project_id: str) -> None:
    for query in HOSTILE:
        await footnote.knowledge.search.search_project(project_id, SearchQuery(query))
        found = await footnote.knowledge.search.search_project(project_id, SearchQuery(f"fox {query}"))
        assert found.passages[0].document_title == "Foxes", query


async def test_chinese_is_found_by_its_words(footnote: Backend, project_id: str) -> None:
    found = await footnote.knowledge.search.search_project(project_id, SearchQuery("狐狸生活在哪里", mode="LEXICAL"))
    assert [passage.document_title for passage in found.passages] == ["狐狸"]


async def test_projects_never_see_each_other(footnote: Backend) -> None:
    projects = [await footnote.knowledge.projects.create_project(f"project {i}") for i in range(4)]
    for i, project in enumerate(projects):
        await add(
            footnote, project.id, f"# Shared words\n\nThe secret of team {i} is number {i}{i}{i}.", title="Secret"
        )
    for i, project in enumerate(projects):
        for mode in ("HYBRID", "LEXICAL", "VECTOR"):
            found = await footnote.knowledge.search.search_project(
                project.id, SearchQuery("secret of the team 000 111 222 333", mode=mode)
            )
            assert {passage.text for passage in found.passages} == {
                f"# Shared words\n\nThe secret of team {i} is number {i}{i}{i}."
            }


async def test_only_the_named_documents_are_searched(footnote: Backend, project_id: str) -> None:
    everything = await footnote.knowledge.search.search_project(project_id, SearchQuery("animal forest night head"))
    wanted = everything.passages[-1].document_id
    for mode in ("HYBRID", "LEXICAL", "VECTOR"):
        found = await footnote.knowledge.search.search_project(
            project_id, SearchQuery("fox owl head 狐狸", mode=mode, documents=DocumentFilter(ids=(wanted,)))
        )
        assert {passage.document_id for passage in found.passages} == {wanted}


async def test_one_document_is_enough_to_be_found(footnote: Backend) -> None:
    """BM25 over a handful of rows means little; the background rows keep rare words rare."""
    project = await footnote.knowledge.projects.create_project("one")
    await add(footnote, project.id, "The warranty of the kettle lasts two years.", title="Kettle")
    found = await footnote.knowledge.search.search_project(
        project.id, SearchQuery("How long is the kettle's warranty valid?")
    )
    assert found.passages[0].score > found.threshold
    off = await footnote.knowledge.search.search_project(project.id, SearchQuery("Who won the chess championship?"))
    assert [passage.score < off.threshold for passage in off.passages] == [True]


async def test_a_follow_up_is_searched_with_the_turns_before(footnote: Backend, project_id: str) -> None:
    alone = await footnote.knowledge.search.search_project(project_id, SearchQuery("And when does it hunt?"))
    with_turns = await footnote.knowledge.search.search_project(
        project_id, SearchQuery("And when?", earlier="Tell me about the red fox")
    )
    assert with_turns.passages[0].document_title == "Foxes"
    assert with_turns.passages[0].score <= 1
    assert alone.passages[0].document_title == "Foxes"


@pytest.mark.parametrize("mode", ["HYBRID", "LEXICAL", "VECTOR"])
async def test_another_wording_can_only_lift_a_passage(footnote: Backend, project_id: str, mode: SearchMode) -> None:
    async def scores(query: SearchQuery) -> dict[str, float]:
        found = await footnote.knowledge.search.search_project(project_id, query)
        return {passage.document_title: passage.score for passage in found.passages}

    fox, owl = SearchQuery("red fox forest", mode=mode), SearchQuery("owl turns head degrees", mode=mode)
    alone, other = await scores(fox), await scores(owl)
    both = await scores(SearchQuery(fox.text, rewritten=owl.text, mode=mode))
    assert both["Foxes"] == pytest.approx(alone["Foxes"])
    assert both["Owls"] == pytest.approx((alone.get("Owls", 0.0) + other["Owls"]) / 2, abs=0.02)
    assert both["Owls"] > 2 * alone.get("Owls", 0.0)
    nonsense = await scores(SearchQuery(fox.text, rewritten="zzzz", mode=mode))
    assert nonsense["Foxes"] == pytest.approx(alone["Foxes"])


async def test_a_search_sees_the_old_version_or_the_new_one(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("moving")
    await add(footnote, project.id, "Version 0 of the fox story.", source="fox")

    async def replace() -> None:
        for number in range(1, 16):
            await add(footnote, project.id, f"Version {number} of the fox story.", source="fox")

    replacing = asyncio.create_task(replace())
    seen: list[int] = []
    while not replacing.done():
        found = await footnote.knowledge.search.search_project(project.id, SearchQuery("fox story"))
        seen.append(len(found.passages))
    await replacing
    assert set(seen) == {1}


async def test_an_empty_project_finds_nothing(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("empty")
    assert (await footnote.knowledge.search.search_project(project.id, SearchQuery("anything"))).passages == ()


scores = st.dictionaries(st.integers(1, 20), st.floats(0, 1), max_size=10)
cosines = st.dictionaries(st.integers(1, 20), st.floats(-1, 1), max_size=10)


@given(scores, scores)
def test_a_rewritten_query_removes_no_results(found: dict[int, float], rewritten: dict[int, float]) -> None:
    both = lift_scores(found, rewritten)
    assert both.keys() == found.keys() | rewritten.keys()
    for chunk_id, score in both.items():
        ours, theirs = found.get(chunk_id, 0.0), rewritten.get(chunk_id, 0.0)
        assert score == (ours if theirs <= ours else pytest.approx((ours + theirs) / 2))


@given(scores, cosines, st.floats(0, 1))
def test_fused_scores_stay_in_range_and_grow_with_each_leg(
    lexical: dict[int, float], vector: dict[int, float], weight: float
) -> None:
    fused = fuse_scores(lexical, vector, weight)
    assert fused.keys() == lexical.keys() | vector.keys()
    assert all(0 <= score <= 1 + 1e-9 for score in fused.values())
    for chunk_id in lexical:
        more = fuse_scores(lexical | {chunk_id: 1.0}, vector, weight)
        assert more[chunk_id] >= fused[chunk_id] - 1e-12
    assert fuse_scores(lexical, None, weight) == lexical
    assert fuse_scores(None, vector, weight).keys() == vector.keys()
    assert not any(math.isnan(score) for score in fused.values())
