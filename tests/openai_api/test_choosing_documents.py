"""Which project and documents a request names: by id, name or filter."""

from collections.abc import Callable
from typing import Any

import pytest

from app.graphql import ids
from app.openai_api import sources
from tests.openai_api.api import QUESTION, OpenAIServer, error, user
from tests.openai_api.conftest import Start
from tests.servers.running import running

Json = Any


async def test_documents_can_be_filtered(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model, ("KAITO needs Helm.", "KAITO needs GPUs."))

        async def titles(**filter: Json) -> list[str]:
            body = (await api.ask(document_filter=filter)).json()
            return sorted(node["metadata"]["title"] for node in body["source_nodes"])

        assert await titles() == await titles(status=["READY"]) == ["Document 0", "Document 1"]
        assert await titles(title_contains="MENT 1") == ["Document 1"]
        nothing = await api.ask(document_filter={"metadata": {"year": 2024}})
    assert nothing.headers["x-footnote-route"] == "no-sources"
    assert [notice["code"] for notice in nothing.json()["notices"]] == ["NO_MATCHING_DOCUMENTS"]
    assert all("document_filter" not in body for body in model.chats)


async def test_documents_can_be_chosen(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model, ("KAITO needs Helm.", "KAITO needs GPUs."))
        nodes = (await api.ask()).json()["source_nodes"]
        chosen = nodes[1]["doc_id"]
        for name in (chosen, ids.find("Document", chosen)):
            found = (await api.ask(document_ids=[name])).json()["source_nodes"]
            assert [node["doc_id"] for node in found] == [chosen]
        elsewhere = await api.graphql.ready(await api.graphql.project("Others"), "Other", "KAITO needs time.")
        for unknown in (elsewhere, api.project, "x", "0" * 32):
            refused = error(await api.ask(document_ids=[chosen, unknown]), 404)
            assert (refused["param"], refused["code"]) == ("document_ids", "document_not_found")
            assert refused["message"] == f"There is no document “{unknown}” in this project."
    assert all("document_ids" not in body for body in model.chats)


@pytest.mark.parametrize("wrong", [[], [1], [None], ["x"] * 101])
async def test_lists_of_documents_that_are_none_are_refused(start: Start, wrong: Json) -> None:
    with running(OpenAIServer()) as model:
        found = error(await (await start(model)).ask(document_ids=wrong), 400)
    assert found["message"] == "`document_ids` must be a list of 1 to 100 ids of documents."
    assert model.chats == []


NO_TITLE = "`title_contains` must be a string of at most 500 characters."
NO_STATUSES = "`status` must be a list of QUEUED, PROCESSING, READY, FAILED."


@pytest.mark.parametrize(
    ("filter", "parameter", "says"),
    [
        ([], "document_filter", "`document_filter` must be an object."),
        ({"titleContains": "x"}, "titleContains", "A document filter has `status`, `title_contains` and `metadata`."),
        *(({"title_contains": wrong}, "title_contains", NO_TITLE) for wrong in ("x" * 501, 1)),
        *(({"status": wrong}, "status", NO_STATUSES) for wrong in (["DONE"], "READY", [["READY"]])),
        ({"status": ["READY"] * 101}, "status", "`status` must have at most 100 entries."),
        ({"metadata": {"a": None}}, "metadata", "Filter metadata by text, number or boolean values."),
        ({"metadata": {"a": 1e300}}, "metadata", "Numbers in `metadata` must be at most 9,007,199,254,740,992."),
    ],
)
async def test_a_filter_that_is_none_is_refused(start: Start, filter: Json, parameter: str, says: str) -> None:
    with running(OpenAIServer()) as model:
        found = error(await (await start(model)).ask(document_filter=filter), 400)
    expected = parameter if parameter == "document_filter" else f"document_filter.{parameter}"
    assert (found["param"], found["message"]) == (expected, says)


NAMES: list[Callable[[str], str]] = [lambda id: id, lambda id: str(ids.find("Project", id)), lambda _: "Docs"]


@pytest.mark.parametrize("name", NAMES, ids=["global id", "bare id", "name"])
async def test_an_index_is_a_project_by_id_or_name(start: Start, name: Callable[[str], str]) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."])) as model:
        api = await start(model)
        response = await api.ask(index_name=name(api.project))
    assert response.headers["x-footnote-route"] == "rag"


@pytest.mark.parametrize("name", ["docs ", "nothing", "0" * 32, ids.encode("Project", "0" * 32), "\ud83d", "'; --"])
async def test_an_unknown_index_is_not_found(start: Start, name: str) -> None:
    with running(OpenAIServer()) as model:
        api = await start(model)
        body = {"model": "chat", "messages": [user(QUESTION)], "index_name": name}
        found = error(await api.post(body), 404)
    assert (found["code"], found["param"]) == ("index_not_found", "index_name")
    assert model.chats == []


def test_a_project_is_named_by_its_id_of_the_graphql_api() -> None:
    assert sources.row_id("Project", ids.encode("Project", "b" * 32)) == "b" * 32
    assert sources.row_id("Project", ids.encode("Document", "b" * 32)) is None
    assert sources.row_id("Project", "Docs") is None
