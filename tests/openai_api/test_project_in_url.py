"""A project in the base URL, for clients that cannot send `index_name`."""

from typing import Any
from urllib.parse import quote

import openai
import pytest

from tests.openai_api.api import QUESTION, OpenAIAPI, OpenAIServer, error
from tests.openai_api.conftest import NodeClient, Start
from tests.openai_api.test_clients import CONTENT, PIECES, TOOL, USER
from tests.servers.running import running

Json = Any


def client_of(api: OpenAIAPI, project: str) -> openai.AsyncOpenAI:
    """OpenAI's client with the base URL of a project."""
    base = f"{api.url}/projects/{quote(project, safe='')}/v1"
    return openai.AsyncOpenAI(base_url=base, api_key="none", max_retries=0)


@pytest.mark.parametrize("by_id", [False, True], ids=["by name", "by id"])
async def test_a_client_answers_from_the_project_of_its_base_url(start: Start, by_id: bool) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        api = await start(model)
        async with client_of(api, api.project if by_id else "Docs") as client:
            listed = [entry.id async for entry in await client.models.list()]
            answer: Json = await client.chat.completions.create(model="openai/chat", messages=[USER])
            response: Json = await client.responses.create(model="openai/chat", input=QUESTION)
    assert "openai/chat" in listed
    assert answer.choices[0].message.content == response.output_text == CONTENT
    assert [citation["label"] for citation in answer.citations] == ["[1]"]
    assert "index_name" not in model.chats[0]


async def test_the_ai_sdk_answers_from_the_project_of_its_base_url(start: Start, ai_sdk: NodeClient) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        api = await start(model)
        found = await ai_sdk(baseURL=f"{api.url}/projects/Docs/v1", model="openai/chat", prompt=QUESTION, streams=True)
    assert (found["text"], found["route"]) == (CONTENT, "rag")


async def test_a_project_may_have_any_name(start: Start) -> None:
    api = await start()
    for name in ("Verträge & Pläne", "合同", "100 %", "a+b?c#d"):
        await api.graphql.project(name)
        async with client_of(api, name) as client:
            raw: Json = await client.chat.completions.with_raw_response.create(
                model="embedded/extractive", messages=[USER]
            )
        assert raw.headers["x-footnote-route"] == "no-sources"


async def test_an_index_name_comes_before_the_project_of_the_url(start: Start) -> None:
    api = await start()
    await api.graphql.project("Empty")
    async with client_of(api, "Empty") as client:
        for index, route in (({}, "no-sources"), ({"index_name": None}, "no-sources"), ({"index_name": "Docs"}, "rag")):
            raw: Json = await client.chat.completions.with_raw_response.create(
                model="embedded/extractive", messages=[USER], extra_body=index
            )
            assert raw.headers["x-footnote-route"] == route


async def test_requests_that_retrieval_does_not_support_pass_through(start: Start) -> None:
    with running(OpenAIServer(lambda _: PIECES)) as model:
        api = await start(model)
        async with client_of(api, "Docs") as client:
            create: Json = client.chat.completions.with_raw_response.create
            raw = await create(model="openai/chat", messages=[USER], tools=[TOOL])
    assert raw.headers["x-footnote-route"] == "pass-through"


async def test_a_project_that_does_not_exist_is_reported_even_by_the_list_of_models(start: Start) -> None:
    api = await start()
    chat: Json = {"model": "embedded/extractive", "messages": [USER]}
    for method, path, body in (("GET", "models", None), ("POST", "chat/completions", chat)):
        response = await api.http.request(method, f"{api.url}/projects/Nothing/v1/{path}", json=body)
        found = error(response, 404)
        assert (found["code"], found["param"]) == ("index_not_found", None)
        told = f"has the name or id “Nothing” in the base URL {api.url}/projects/Nothing/v1."
        assert found["message"] == f"No project that you have access to {told}"
    chat["index_name"] = "Nothing"
    found = error(await api.post(chat), 404)
    assert (found["code"], found["param"]) == ("index_not_found", "index_name")
    assert found["message"] == "No project that you have access to has the name or id “Nothing”."


async def test_refusals_do_not_speak_of_a_field_that_the_client_did_not_send(start: Start) -> None:
    api = await start()
    body = {"model": "embedded/extractive", "messages": [USER], "logprobs": True}
    refused = error(await api.http.post(f"{api.url}/projects/Docs/v1/chat/completions", json=body), 400)
    assert refused["message"] == "`logprobs` is not available in answers from documents, because markers are rewritten."


async def test_errors_under_a_project_have_the_shape_of_the_api(start: Start) -> None:
    api = await start()
    base = f"{api.url}/projects/Docs"
    for path in ("/v1/embeddings", "/v1/nothing", "/v1/", "/v1", "/chat/completions", "/models", "/nothing", "/", ""):
        for method in ("GET", "POST"):
            wrong = error(await api.http.request(method, f"{base}{path}"), 404)
            assert wrong["code"] == "unknown_url"
            assert f"the base URL of this API is {base}/v1, and it has the paths /models, " in wrong["message"]
    for path in ("", "/"):
        wrong = error(await api.http.get(f"{api.url}/projects{path}"), 404)
        assert f"the base URL of this API is {api.url}/projects/NAME/v1, " in wrong["message"]
    model = error(await api.http.get(f"{base}/v1/models/gpt-4"), 404)
    assert model["code"] == "model_not_found"
    other_site = {"origin": "https://other.example"}
    refused = await api.http.post(f"{base}/v1/chat/completions", json={}, headers=other_site)
    assert error(refused, 403)["code"] == "forbidden"
