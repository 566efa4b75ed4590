"""The filter of the documents to search: applied before the search, so that no result is lost, and in every layer."""

import time
from collections.abc import Set
from random import Random
from typing import cast

import httpx
import pytest

from app import global_ids
from app.answer_options import SearchMode
from app.knowledge.search.queries import SearchQuery
from app.services import Backend, open_backend
from tests.answers import Start, openai
from tests.conftest import MakeSettings
from tests.graphql.client import ADD_TEXT, INGESTION, SEND, Client, Json
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

QUESTION = "Until when can goods be returned?"
ADD = """mutation($input: AddTextDocumentsInput!) { addTextDocuments(input: $input) {
  ... on AddTextDocumentsPayload { results { ... on AddTextDocumentPayload { document { id } } } } } }"""
COUNT = (
    """query($id: ID!, $filter: DocumentFilter) { project(id: $id) { documents(filter: $filter) { totalCount } } }"""
)
SEARCH = """query($input: SearchInput!) { search(input: $input, first: 100) {
  edges { score node { document { id title } } } notices { code message } } }"""
SESSION = "documentFilter { status titleContains metadata } documentIds"
CHANGE = f"""mutation($input: UpdateChatSessionInput!) {{ updateChatSession(input: $input) {{
  ... on UpdateChatSessionPayload {{ chatSession {{ {SESSION} }} }}
  ... on ValidationError {{ issues {{ path code message }} }} }} }}"""
ANSWER = """query($id: ID!) { message(id: $id) { outcome content notices { code }
  budget { candidates { documentTitle } } } }"""
PREVIEW = """query($input: PreviewAnswerInput!) { previewAnswer(input: $input) {
  notices { code } budget { candidates { documentTitle } } } }"""
WORDS = "fox owl forest night hunt wing river stone cloud rain snow field nest prey song"
DOCUMENTS = 260


def matches(filter: Json, document: Json) -> bool:
    """What the filter should do."""

    def same(value: Json, other: Json) -> bool:
        return value == other and isinstance(value, bool) == isinstance(other, bool)

    status, title = filter.get("status"), filter.get("titleContains")
    metadata: Json = filter.get("metadata", {})
    return (
        (status is None or document["status"] in status)
        and (title is None or _in_lower_case(title) in _in_lower_case(document["title"]))
        and all(key in document["metadata"] and same(document["metadata"][key], metadata[key]) for key in metadata)
    )


def _in_lower_case(text: str) -> str:
    return text.lower().replace("ς", "σ")


def random_document(random: Random, number: int) -> Json:
    values = {"year": [2020, 2021, 2021.0, "2021"], "open": [True, False, 1], "kind": ["a", "b", "A", 'c"%_\\']}
    metadata = {key: random.choice(values[key]) for key in values if random.random() < 0.7}
    title = f"{random.choice(['Report', 'Memo', '100%_note', 'ÄÖ Straße', 'ΣΟΦΟΣ', 'ЖУРНАЛ'])} {random.randrange(9)}"
    broken = random.random() < 0.1
    text = "" if broken else f"{' '.join(random.choices(WORDS.split(), k=10))} {number}"
    return {"title": title, "metadata": metadata, "text": text}


def random_filter(random: Random) -> Json:
    values = {"year": [2020, 2021, "2021", True], "open": [True, False, 1], "kind": ["a", "A", 'c"%_\\', 7]}
    filter: Json = {}
    if random.random() < 0.3:
        filter["status"] = random.choice([["READY"], ["FAILED"], ["READY", "FAILED"], []])
    if random.random() < 0.5:
        filter["titleContains"] = random.choice(["report", "MEMO 3", "0%_n", "%", "äö s", "Σοφοσ", "журнал", ""])
    if random.random() < 0.8:
        filter["metadata"] = {key: random.choice(values[key]) for key in values if random.random() < 0.6}
    return filter


async def fill_project(client: Client, project: str, random: Random) -> list[Json]:
    documents = [random_document(random, number) for number in range(DOCUMENTS)]
    given = [document | {"text": document["text"] or " "} for document in documents]
    for start in (0, 200):
        results = (await client.run(ADD, input={"projectId": project, "documents": given[start : start + 200]}))[
            "addTextDocuments"
        ]["results"]
        for document, result in zip(documents[start:], results, strict=False):
            document["id"] = result["document"]["id"]
    waiting = {"status": ["QUEUED", "PROCESSING"]}
    while (await client.run(COUNT, id=project, filter=waiting))["project"]["documents"]["totalCount"]:
        await pause()
    for document in documents:
        document["status"] = "READY" if document["text"] else "FAILED"
    return documents


async def best_of_all(
    beside: Backend, project: str, query: str, mode: SearchMode, chosen: Set[str]
) -> dict[str, float]:
    """The best hundred of the chosen documents, by a search of all that keeps every candidate."""
    whole = SearchQuery(query, mode=mode, dense_weight=0.5, limit=1000, depth=1000)
    found = await beside.knowledge.search.search_project(global_ids.find("Project", project) or "", whole)
    every = [(global_ids.encode("Document", one.document_id), one.score) for one in found.passages]
    return dict([one for one in every if one[0] in chosen][:100])


@pytest.mark.parametrize("memory", [0, 512])
async def test_no_result_is_lost(make_settings: MakeSettings, memory: int) -> None:
    random, settings = Random(memory), make_settings(vector_memory_mb=memory)  # noqa: S311 - not a secret
    sizes: list[int] = []
    with serve(settings) as url:
        async with httpx.AsyncClient(timeout=120) as http, open_backend(settings, "ask") as beside:
            client = Client(http, url)
            project = await client.project("random")
            documents = await fill_project(client, project, random)
            modes: list[SearchMode] = ["HYBRID", "LEXICAL", "VECTOR"]
            for number in range(45):
                mode, filter, query = (
                    modes[number % 3],
                    random_filter(random),
                    " ".join(random.choices(WORDS.split(), k=3)),
                )
                chosen = {document["id"] for document in documents if matches(filter, document)}
                values = {"query": query, "mode": mode, "denseWeight": 0.5, "documentFilter": filter}
                if random.random() < 0.2:
                    values["documentIds"] = [one["id"] for one in random.sample(documents, 60)]
                    chosen &= set(values["documentIds"])
                found = (await client.run(SEARCH, input={"projectId": project, **values}))["search"]
                scores = {edge["node"]["document"]["id"]: edge["score"] for edge in found["edges"]}
                expected = await best_of_all(beside, project, query, mode, chosen)
                sizes.append(len(chosen))
                assert [notice["code"] for notice in found["notices"]] == ([] if chosen else ["NO_MATCHING_DOCUMENTS"])
                # With more, two legs of a hundred candidates each may miss one that is good in both.
                if mode != "HYBRID" or len(chosen) <= 100:
                    assert list(scores.values()) == pytest.approx(list(expected.values()), abs=1e-5), filter
                if len(expected) < 100:
                    assert scores.keys() == expected.keys(), filter
    assert 0 in sizes
    assert sum(0 < size <= 100 for size in sizes) > 15
    assert max(sizes) > 200


async def test_a_session_and_a_question_can_filter_documents(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Within some days [1]."])) as model:
        client = start(**openai(model), rag_threshold=0.001)
        project = await client.project("shop")
        ids = [
            await client.ready(project, f"Returns {year}", f"Goods can be returned in {year}.", metadata={"year": year})
            for year in (2022, 2023, 2024)
        ]

        async def titles(session: str, **overrides: Json) -> list[str]:
            preview = await client.run(PREVIEW, input={"sessionId": session, "content": QUESTION, **overrides})
            answer = await client.run(ANSWER, id=await client.answered(session, QUESTION, **overrides))
            found = {one["documentTitle"] for one in answer["message"]["budget"]["candidates"]}
            assert found == {one["documentTitle"] for one in preview["previewAnswer"]["budget"]["candidates"]}
            return sorted(found)

        session = await client.session(project, documentFilter={"metadata": {"year": 2023}})
        assert await titles(session) == ["Returns 2023"]
        assert await titles(session, documentFilter={"titleContains": "2024", "status": ["READY"]}) == ["Returns 2024"]
        assert len(await titles(session, documentFilter={})) == 3
        assert await titles(session, documentIds=ids[:2]) == ["Returns 2023"]
        assert await titles(session, documentIds=ids[:1]) == []
        changed = await client.mutate(CHANGE, id=session, documentFilter={"status": ["READY", "QUEUED"]})
        shown = {"status": ["READY", "QUEUED"], "titleContains": None, "metadata": None}
        assert changed["chatSession"] == {"documentFilter": shown, "documentIds": None}
        assert len(await titles(session)) == 3
        changed = await client.mutate(CHANGE, id=session, documentFilter=None)
        assert changed["chatSession"]["documentFilter"] is None


async def test_a_filter_that_matches_nothing_is_told_of(start: Start) -> None:
    client = start()
    project = await client.project("shop")
    await client.ready(project, "Returns", "Goods can be returned within 30 days.")
    session = await client.session(project, documentFilter={"metadata": {"year": 2023}})
    message = (await client.run(ANSWER, id=await client.answered(session, QUESTION)))["message"]
    assert (message["outcome"], [one["code"] for one in message["notices"]]) == (
        "NO_SOURCES",
        ["NO_MATCHING_DOCUMENTS"],
    )
    nothings: list[Json] = [{"documentFilter": {"status": ["FAILED"]}}, {"documentFilter": {"status": []}}]
    for nothing in (*nothings, {"documentIds": cast("list[Json]", [])}):
        found = (await client.run(SEARCH, input={"projectId": project, "query": "goods", **nothing}))["search"]
        assert (found["edges"], len(found["notices"])) == ([], 1)


async def test_the_same_key_with_another_filter_is_a_conflict(start: Start) -> None:
    client = start()
    project = await client.project("shop")
    await client.ready(project, "Returns", "Goods can be returned within 30 days.")
    session = await client.session(project)
    given = {"documentFilter": {"status": ["READY"], "metadata": {"a": 1}}, "idempotencyKey": "k"}
    answer = await client.answered(session, QUESTION, **given)
    assert await client.answered(session, QUESTION, **given) == answer
    given["documentFilter"] = {"status": ["READY"], "metadata": {"a": 2}}
    again = await client.mutate(SEND, sessionId=session, content=QUESTION, **given)
    assert again["__typename"] == "ConflictError"


@pytest.mark.parametrize(
    ("filter", "path", "code", "says"),
    [
        ({"metadata": [1]}, ["metadata"], "INVALID", "`metadata` must be a JSON object."),
        ({"metadata": {"a": [1]}}, ["metadata"], "INVALID", "Filter metadata by text, number or boolean values."),
        ({"metadata": {"a": 2**53 + 2}}, ["metadata"], "OUT_OF_RANGE", "must be at most 9,007,199,254,740,992."),
        ({"metadata": {str(key): key for key in range(51)}}, ["metadata"], "TOO_LARGE", "by at most 50 keys."),
        ({"metadata": {"a": "x" * 10_000}}, ["metadata"], "TOO_LARGE", "must have at most 10,000 characters."),
        ({"titleContains": "x" * 501}, ["titleContains"], "TOO_LONG", "must have at most 500 characters."),
        ({"status": ["READY"] * 101}, ["status"], "TOO_LARGE", "must have at most 100 entries."),
    ],
)
async def test_a_filter_that_is_none_is_refused_everywhere(
    client: Client, filter: Json, path: list[str], code: str, says: str
) -> None:
    project = await client.project(f"refused {says}")
    session = await client.session(project)
    [issue] = (await client.mutate(CHANGE, id=session, documentFilter=filter))["issues"]
    assert (issue["path"], issue["code"]) == (["documentFilter", *path], code)
    assert issue["message"].endswith(says)
    for query, input in (
        (SEARCH, {"projectId": project, "query": "x", "documentFilter": filter}),
        (PREVIEW, {"sessionId": session, "content": "x", "documentFilter": filter}),
    ):
        [error] = await client.errors(query, input=input)
        assert (error["extensions"]["code"], error["message"][-len(says) :]) == ("BAD_USER_INPUT", says)


async def test_metadata_is_given_in_one_place(client: Client) -> None:
    twice = {"metadata": {"a": 1}, "documentFilter": {"metadata": {"a": 1}}}
    project = await client.project("twice")
    [error] = await client.errors(SEARCH, input={"projectId": project, "query": "x", **twice})
    assert error["message"] == "Give `metadata` or `documentFilter.metadata`, not both."


async def test_results_that_are_kept_are_those_of_the_filter(client: Client) -> None:
    """Also while the metadata is that of a new version, and the text still that of the one before."""
    project = await client.project("kept")
    await client.ready(project, "One", "Cats sleep a lot.", source="one", metadata={"a": True})
    await client.ready(project, "Two", "Cats sleep a little.", metadata={"a": 1})
    await client.ready(project, "Three", "Cats sleep at night.", metadata={"a": True, "b": 1})

    async def titles(filter: Json) -> list[str]:
        found = await client.run(SEARCH, input={"projectId": project, "query": "cats", "documentFilter": filter})
        return sorted(edge["node"]["document"]["title"] for edge in found["search"]["edges"])

    for _ in range(2):
        assert await titles({"metadata": {"a": True}}) == ["One", "Three"]
        assert await titles({"metadata": {"a": 1}}) == ["Two"]
        assert await titles({"metadata": {"b": 1}}) == ["Three"]
    given = {"projectId": project, "title": "One", "text": " ", "source": "one", "metadata": {"b": 1}}
    document = (await client.mutate(ADD_TEXT, **given))["document"]["id"]
    assert (await client.follow(INGESTION, document=document))[-1]["__typename"] == "IngestionFailed"
    assert await titles({}) == ["One", "Three", "Two"]
    assert await titles({"metadata": {"a": True}}) == ["Three"]
    assert await titles({"metadata": {"b": 1}}) == ["One", "Three"]
    assert await titles({"status": ["READY"]}) == ["Three", "Two"]


async def test_many_keys_take_hardly_longer_than_one(start: Start) -> None:
    """Metadata may have a thousand keys, and whoever lists the documents of a project shares a few threads with all."""
    client = start()
    project = await client.project("Docs")
    metadata = {f"{number:x}": number % 10 for number in range(1_000)}
    for _ in range(0, 90, 9):
        given = [{"title": "T", "text": "Some words.", "metadata": metadata} for _ in range(9)]
        await client.run(ADD, input={"projectId": project, "documents": given})
    last = list(metadata.items())[-50:]
    seconds: dict[int, list[float]] = {1: [], 50: []}
    for count in (1, 50) * 3:
        began = time.perf_counter()
        found = await client.run(COUNT, id=project, filter={"metadata": dict(last[-count:])})
        seconds[count].append(time.perf_counter() - began)
        assert found["project"]["documents"]["totalCount"] == 90
    assert min(seconds[50]) < 10 * min(seconds[1]), seconds
