"""Keyword search: scores depend on their own project alone, and no query breaks the syntax."""

import unicodedata
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.orm import Session

from app import services
from app.answer_options import SearchMode
from app.database import models
from app.knowledge.index import bm25, terms
from app.knowledge.index.opening import open_index
from app.knowledge.index.postings_cache import PostingsCache
from app.knowledge.index.protocol import SpaceKey
from app.knowledge.index.sqlite.vectors import SQLiteVectorIndex
from app.knowledge.search import question
from app.knowledge.search.queries import SearchQuery
from app.services import Backend
from tests import old_databases
from tests.answers import Start
from tests.conftest import MakeSettings
from tests.documents import add

KAITO = {
    "Install": "# Installation\n\nInstall the KAITO workspace controller on AKS with Helm or Terraform.",
    "Models": "# Models\n\nPreset models are deployed with a workspace; each names a GPU instance type.",
    "Tuning": "# Tuning\n\nFine tuning writes adapters to an image or a volume.",
}
QUESTION = "How do I install KAITO on AKS with Terraform?"
AROUND = (
    "Good morning! We are a small startup in Lisbon building a chatbot for dentists, and our budget is tight this "
    "quarter. "
)
OFF_TOPIC = "Which bishop crowned the last king of Burgundy in the cathedral?"
SEARCH = "query($input: SearchInput!) { search(input: $input) { edges { score node { text } } } }"
PREVIEW = "query($input: PreviewAnswerInput!) { previewAnswer(input: $input) { searchQuery } }"

Scores = list[tuple[str, float, float | None, float | None]]


async def fill(footnote: Backend, name: str, documents: dict[str, str]) -> str:
    project = await footnote.knowledge.projects.create_project(name)
    for title, content in documents.items():
        await add(footnote, project.id, content, title=title, source=title)
    return project.id


async def scores(footnote: Backend, project_id: str) -> Scores:
    found = await footnote.knowledge.search.search_project(
        project_id, SearchQuery("Which models tune an adapter with Terraform and Helm?")
    )
    return [(each.text, each.score, each.vector_score, each.lexical_score) for each in found.passages]


async def test_scores_do_not_depend_on_other_projects(
    footnote: Backend, tmp_path: Path, make_settings: MakeSettings
) -> None:
    """To the last digit: nobody can infer what others add, replace or delete."""
    alone = await scores(footnote, await fill(footnote, "kaito", KAITO))
    assert len(alone) == len(KAITO)
    other_file = make_settings(database_url=f"sqlite:///{tmp_path / 'other.db'}")
    async with services.open_backend(other_file, "serve") as beside:
        others = [await fill(beside, f"other {i}", {f"{i}": f"Terraform {i} adapter. " * 40}) for i in range(3)]
        project_id = await fill(beside, "kaito", KAITO)
        assert await scores(beside, project_id) == alone
        for i in range(5):
            await add(beside, others[0], f"Helm {i} and Terraform tune no adapter.", source=f"{i}")
        assert await scores(beside, project_id) == alone
        await add(beside, others[1], "Nothing of this any more.", source="1")
        await beside.knowledge.project_deletion.delete_project(others[0])
        assert await scores(beside, project_id) == alone


@pytest.mark.parametrize(
    "query",
    [
        "a" + "\U00010348" * 9_999,
        "\ufb01" * 10_000,
        "\u0301" * 10_000,
        "\U0001f101" * 5_000,
        "x " * 5_000,
        "_" * 10_000,
    ],
    ids=["long", "ligatures", "marks", "commas", "repeated", "low lines"],
)
async def test_no_query_breaks_the_search_of_others(start: Start, query: str) -> None:
    client = start()
    project = await client.project("KAITO")
    await client.ready(project, "Install", KAITO["Install"])
    before = await client.run(SEARCH, input={"projectId": project, "query": QUESTION})
    session = await client.session(project)
    await client.run(SEARCH, input={"projectId": project, "query": query})
    await client.run(PREVIEW, input={"sessionId": session, "content": query})
    assert await client.run(SEARCH, input={"projectId": project, "query": QUESTION}) == before
    assert before["search"]["edges"]


async def test_words_around_a_question_do_not_cause_a_refusal(footnote: Backend) -> None:
    project_id = await fill(footnote, "kaito", KAITO)
    alone = await footnote.knowledge.search.search_project(project_id, SearchQuery(QUESTION))
    for message in (AROUND + QUESTION, f"{QUESTION} {AROUND}", QUESTION.replace("install", f"install ({AROUND[:-2]})")):
        found = await footnote.knowledge.search.search_project(project_id, SearchQuery(message))
        assert found.passages[0].text == alone.passages[0].text
        assert found.passages[0].score > found.threshold
    for message in (OFF_TOPIC, AROUND + OFF_TOPIC, AROUND):
        found = await footnote.knowledge.search.search_project(project_id, SearchQuery(message))
        assert found.passages[0].score < found.threshold, message


async def test_unknown_words_find_nothing(footnote: Backend) -> None:
    project_id = await fill(footnote, "kaito", KAITO)
    assert (
        await footnote.knowledge.search.search_project(project_id, SearchQuery("zzz qqq", mode="LEXICAL"))
    ).passages == ()


@pytest.mark.parametrize(
    ("message", "part"),
    [
        (QUESTION, None),
        (AROUND + QUESTION, QUESTION),
        (f"{QUESTION} Thank you.", QUESTION),
        ("My pump leaks at the seal since Monday. What shall I do?", None),
        ("The pump leaks. Tell me where its seal is.", "Tell me where its seal is."),
        ("你好。我们公司在里斯本。狐狸生活在哪里？", "狐狸生活在哪里？"),
        ("", None),
    ],
)
def test_the_asking_part_of_a_text(message: str, part: str | None) -> None:
    assert question.find_question(message) == part


async def test_each_leg_finds_as_many_as_requested(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("many")
    await add(footnote, project.id, "\n\n".join(f"# Fox {i}\n\n{'A red fox. ' * 100}" for i in range(150)))
    for mode in ("LEXICAL", "VECTOR"):
        found = await footnote.knowledge.search.search_project(project.id, SearchQuery("red fox", mode=mode, limit=150))
        assert len(found.passages) == 100
        found = await footnote.knowledge.search.search_project(
            project.id, SearchQuery("red fox", mode=mode, limit=150, depth=150)
        )
        assert len(found.passages) == 150


@pytest.mark.parametrize("mode", ["HYBRID", "LEXICAL"])
async def test_a_document_is_found_by_the_words_of_its_title(footnote: Backend, mode: SearchMode) -> None:
    """All its chunks match, since the title is part of their headings."""
    project = await footnote.knowledge.projects.create_project("books")
    chapters = (f"## Chapter {i}\n\n{'They hunt a whale. ' * 60}" for i in range(305))
    document = await add(footnote, project.id, "\n\n".join(chapters), title="Moby Dick")
    assert document.chunks_total is not None and document.chunks_total > 300
    found = await footnote.knowledge.search.search_project(project.id, SearchQuery("Who is Moby Dick?", mode=mode))
    assert found.passages and found.passages[0].score > found.threshold
    found = await footnote.knowledge.search.search_project(
        project.id, SearchQuery("Which bishop crowned Moby, last king?", mode=mode)
    )
    assert found.passages and found.passages[0].score < found.threshold


async def test_a_word_whose_postings_leave_the_memory_during_a_search_still_counts(footnote: Backend) -> None:
    """The search has counted them there, and then needs their memory for another word's postings."""
    fruit = {f"{number}": "A banana and an apple." if number % 2 else "An apple." for number in range(10)}
    project_id = await fill(footnote, "fruit", fruit)

    async def search(memory: int) -> list[dict[int, float]]:
        texts = open_index(footnote.database.dialect, PostingsCache(memory)).texts
        return [
            await footnote.database.run_read(partial(texts.search_texts, project_id=project_id, query=query, limit=50))
            for query in ("apple", "apple banana", "apple")
        ]

    assert await search(memory=700) == await search(memory=0)  # 700 bytes hold either word, but not both


@pytest.mark.sqlite  # where vectors have a table of their own for each length
async def test_two_embedding_spaces_of_one_dimension_coexist(footnote: Backend) -> None:
    """Their vectors of a chunk are independent, and both are deleted with it."""
    project_id = await fill(footnote, "kaito", KAITO)
    [first] = (await footnote.knowledge.spaces.spaces_by_project([project_id]))[0]
    second = models.EmbeddingSpace(
        project_id=project_id, model=first.model, dimensions=first.dimensions, number=first.number + 1, state="BUILDING"
    )
    index = SQLiteVectorIndex()
    model = footnote.models.embedding_model(first.model)
    [here, there] = (await model.embed_texts(["Helm", "Lisbon"], "query"))[:, None]
    async with footnote.database.begin() as db:
        db.add(second)
        await db.flush()
        ids = list((await db.execute(text("SELECT id FROM chunks ORDER BY id"))).scalars())
        old, new = SpaceKey.from_row(first), SpaceKey.from_row(second)
        await db.run_sync(index.add_vectors, new, ids, there.repeat(len(ids), axis=0))
    before = await scores(footnote, project_id)

    def check_both(db: Session) -> None:
        assert set(index.find_nearest(db, new, there, 10)) == set(index.find_nearest(db, old, there, 10)) == set(ids)
        assert index.score_chunks(db, new, there, ids) != index.score_chunks(db, old, there, ids)
        assert all(cosine > 0.999 for cosine in index.find_nearest(db, new, there, 10).values())
        assert index.find_nearest(db, old, here, 10) != index.find_nearest(db, new, here, 10)

    await footnote.database.run_read(check_both)
    assert (await footnote.knowledge.check.check()).findings == []
    assert await scores(footnote, project_id) == before
    [document] = await footnote.knowledge.library.documents_by_ids(
        [(await footnote.knowledge.search.search_project(project_id, SearchQuery(QUESTION))).passages[0].document_id]
    )
    assert document is not None
    await footnote.knowledge.library.delete_document(document.id)

    def count_both(db: Session) -> list[int]:
        return [len(index.find_nearest(db, space, there, 10)) for space in (new, old)]

    assert await footnote.database.run_read(count_both) == [2, 2]
    assert (await footnote.knowledge.check.check()).findings == []


@pytest.mark.sqlite  # PostgreSQL came later
async def test_an_upgraded_database_finds_the_same(make_settings: MakeSettings, tmp_path: Path) -> None:
    documents = {**KAITO, "狐狸": "# 狐狸\n\n狐狸是一种夜行动物，生活在森林里。", "Café": "Le café crème, naïve."}
    async with services.open_backend(make_settings(), "serve") as footnote:
        ids = [await fill(footnote, name, documents) for name in "ab"]
        before = [await scores(footnote, project_id) for project_id in ids]
    file = tmp_path / "footnote.db"
    await old_databases.go_back(f"sqlite:///{file}", "0006")
    async with services.open_backend(make_settings(), "serve") as footnote:
        assert [await scores(footnote, project_id) for project_id in ids] == before
        assert (await footnote.knowledge.check.check()).findings == []


@given(st.text())
def test_a_term_is_always_a_single_word(content: str) -> None:
    """Otherwise one project's entry could be split into another's. Vowel signs of Indian scripts are parts of words."""
    found = [*terms.count_terms("", content).counts, *terms.query_terms(content)]
    letters = ["".join(sign for sign in term if unicodedata.category(sign) not in {"Mn", "Mc"}) for term in found]
    assert all(each.isalnum() and len(term) <= 20 * 64 for each, term in zip(letters, found, strict=True)), found
    assert all(
        character.islower() or character.isdigit() for term in found for character in term if character.isascii()
    )


WORDS = st.lists(st.text("abcdef", min_size=1, max_size=2), unique=True, max_size=12)


@given(WORDS, st.dictionaries(st.text("abcdef", min_size=1, max_size=2), st.integers(0, 50)), st.integers(50, 5_000))
def test_term_weights_sum_to_one_and_unknown_words_weigh_little(
    words: list[str], chunks_with: dict[str, int], chunks: int
) -> None:
    totals = bm25.ProjectTotals(chunks, chunks * 150)
    shares = bm25.term_shares(words, chunks_with, totals)
    assert shares.keys() <= {word for word in words if chunks_with.get(word)}
    assert 0 <= sum(shares.values()) <= 1 + 1e-9
    more = bm25.term_shares([*words, *(f"unknown {i}" for i in range(100))], chunks_with, totals)
    evenmore = bm25.term_shares([*words, *(f"unknown {i}" for i in range(200))], chunks_with, totals)
    assert more == evenmore
