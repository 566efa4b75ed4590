"""Results of searches and vectors of questions are kept for a while, and never outlive a change of the project."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answer_options.document_filter import DocumentFilter
from app.knowledge.search.queries import SearchQuery
from app.knowledge.search.search_cache import SearchCache
from app.services import Backend, open_backend
from app.statuses import DocumentStatus
from tests.answers import openai
from tests.conftest import MakeSettings
from tests.documents import add
from tests.graphql.client import Client
from tests.ingestion.embedding import SEARCH
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.signed_in_server import StartSignedIn

FOX = "Where does the red fox live?"


async def found(footnote: Backend, project_id: str, question: str = FOX, **values: object) -> list[str]:
    """The texts of the passages."""
    query = SearchQuery(question, **values)  # pyright: ignore[reportArgumentType]
    result = await footnote.knowledge.search.search_project(project_id, query)
    return [passage.text for passage in result.passages]


async def test_a_change_of_the_project_is_seen_at_once(footnote: Backend) -> None:
    project = await footnote.knowledge.projects.create_project("changing")
    first = await add(footnote, project.id, "The red fox lives in forests.", source="fox")
    for _ in range(2):
        assert await found(footnote, project.id) == ["The red fox lives in forests."]
    await add(footnote, project.id, "The red fox lives in cities.", source="fox")
    assert await found(footnote, project.id) == ["The red fox lives in cities."]
    await footnote.knowledge.library.update_document(first.id, {"metadata": {"seen": "yes"}})
    assert await found(footnote, project.id) == ["The red fox lives in cities."]
    await footnote.knowledge.library.delete_document(first.id)
    assert await found(footnote, project.id) == []


async def test_a_status_changes_without_a_new_version_of_the_index(make_settings: MakeSettings) -> None:
    """Two documents whose last version could not be read; the first is queued again, and nobody reads it."""
    settings, failed = make_settings(), DocumentFilter(status=frozenset({DocumentStatus.FAILED}))
    async with open_backend(settings, "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("failing")
        for source in ("forests", "cities"):
            await add(footnote, project.id, f"The red fox lives in {source}.", source=source)
            document = await add(footnote, project.id, " ", source=source)
    async with open_backend(settings, "ask") as footnote:
        assert len(await found(footnote, project.id, documents=failed)) == 2
        await footnote.knowledge.library.retry_document(document.id)
        assert await found(footnote, project.id, documents=failed) == ["The red fox lives in forests."]


async def test_projects_and_options_do_not_share_results(footnote: Backend) -> None:
    projects = [await footnote.knowledge.projects.create_project(name) for name in ("forest", "city")]
    for project in projects:
        await add(footnote, project.id, f"The red fox lives in the {project.name}.")
        await add(footnote, project.id, "An owl turns its head.")
    for _ in range(2):
        for project in projects:
            assert (await found(footnote, project.id))[0] == f"The red fox lives in the {project.name}."
            assert len(await found(footnote, project.id, limit=1)) == 1
            assert len(await found(footnote, project.id, mode="LEXICAL")) == 1
    results, vectors = footnote.knowledge.search.cache.uses(projects[0].id)
    assert (results.lookups, results.hits) == (6, 3)
    assert results.hit_rate == 0.5
    assert vectors.lookups == 0, "the embedded model is faster than a cache"


async def test_a_server_embeds_a_question_once(make_settings: MakeSettings) -> None:
    with running(OpenAIServer()) as model:
        async with open_backend(make_settings(**openai(model), embedding_model="openai/embed"), "serve") as footnote:
            project = await footnote.knowledge.projects.create_project("remote")
            await add(footnote, project.id, "The red fox lives in forests.")
            before = len(model.embeddings)
            for limit in (1, 2, 1):
                assert await found(footnote, project.id, limit=limit)
            await found(footnote, project.id, mode="LEXICAL")
            assert len(model.embeddings) == before + 1
            _, vectors = footnote.knowledge.search.cache.uses(project.id)
            # One of the four has no vectors, and one has its result.
            assert (vectors.lookups, vectors.hits) == (2, 1)


@pytest.mark.parametrize(("seconds", "hits"), [(0, 0), (300, 1)])
async def test_the_setting_turns_it_off(make_settings: MakeSettings, seconds: int, hits: int) -> None:
    async with open_backend(make_settings(search_cache_seconds=seconds), "serve") as footnote:
        project = await footnote.knowledge.projects.create_project("kept")
        await add(footnote, project.id, "The red fox lives in forests.")
        for _ in range(2):
            assert await found(footnote, project.id)
        assert footnote.knowledge.search.cache.uses(project.id)[0].hits == hits


@given(st.lists(st.integers(0, 300), max_size=400))
def test_at_most_a_hundred_questions_are_kept_and_those_used_last(asked: list[int]) -> None:
    cache, kept = SearchCache(300), list[int]()
    for number in asked:
        query = SearchQuery(str(number))
        vectors = cache.find_vectors("project", "model", query)
        assert (vectors is not None) == (number in kept)
        if vectors is None:
            cache.keep_vectors("model", query, number)  # pyright: ignore[reportArgumentType]
        kept = [*(other for other in kept if other != number), number][-100:]


REPEATED = """query($project: ID!) { project(id: $project) { stats { cacheHitRate vectorCacheHitRate } } }"""


async def test_nobody_learns_what_is_asked_in_another_project(signed: StartSignedIn) -> None:
    """One who guesses a question, and searches it in a project of their own, sees the same as one who guesses wrong."""
    with running(OpenAIServer()) as model:
        server = await signed(**openai(model), embedding_model="openai/embed")
        eve = await server.accounts.users.create("eve@example.org")
        token, _ = await server.accounts.access_tokens.create(eve.id, "test")
        secret = await server.client.project("Secret")
        await server.client.ready(secret, "Foxes", "The red fox lives in forests.")
        await server.client.run(SEARCH, project=secret, query=FOX)
        async with httpx.AsyncClient(timeout=120, headers={"authorization": f"Bearer {token}"}) as http:
            client = Client(http, server.url)
            own = await client.project("Guesses")
            await client.ready(own, "Owls", "An owl turns its head.")
            embedded = len(model.embeddings)
            await client.run(SEARCH, project=own, query=FOX)
            seen = (await client.run(REPEATED, project=own))["project"]["stats"]
        assert len(model.embeddings) == embedded + 1, "the time that the model takes tells, too"
    assert seen == {"cacheHitRate": 0.0, "vectorCacheHitRate": 0.0}
