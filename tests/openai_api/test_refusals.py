"""Refused requests and failing providers: the status, the shape of the error, and no secrets in it."""

import asyncio
import gzip
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.database.sqlite.driver import choose_driver
from tests.graphql.client import CREATE_PROJECT
from tests.openai_api.api import ABSENT, QUESTION, OpenAIAPI, OpenAIServer, RawServer, error, events, text
from tests.openai_api.conftest import Start
from tests.servers.openai import too_long
from tests.servers.ports import closed_port
from tests.servers.running import Break, Fault, How, Page, Refusal, running

Json = Any
USER = {"role": "user", "content": QUESTION}
CHAT = "/chat/completions"

# What is wrong, and the parameter that is named.
SHAPES: Sequence[tuple[Json, str | None]] = [
    ({"messages": None}, "messages"),
    ({"messages": []}, "messages"),
    ({"messages": {}}, "messages"),
    ({"messages": "Hello"}, "messages"),
    ({"messages": ["Hello"]}, "messages[0]"),
    ({"messages": [USER, {"content": "x"}]}, "messages[1]"),
    ({"messages": [{"role": 1, "content": "x"}]}, "messages[0]"),
    ({"messages": [{"role": "user", "content": 7}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": {"type": "text"}}]}, "messages[0].content"),
    ({"messages": [{"role": "user", "content": ["x"]}]}, "messages[0].content"),
    ({"model": 1}, "model"),
    ({"model": ""}, "model"),
    ({"model": "openai/" + "x" * 194}, "model"),
    ({"index_name": 5}, "index_name"),
    ({"index_name": ""}, "index_name"),
    ({"index_name": ["Docs"]}, "index_name"),
    ({"context_token_ratio": "0.5"}, "context_token_ratio"),
    ({"context_token_ratio": True}, "context_token_ratio"),
    ({"n": 2}, "n"),
    ({"n": 0}, "n"),
    ({"n": "1"}, "n"),
    ({"n": True}, "n"),
    ({"max_tokens": 0}, "max_tokens"),
    ({"max_tokens": -5}, "max_tokens"),
    ({"max_tokens": 1.5}, "max_tokens"),
    ({"max_tokens": "100"}, "max_tokens"),
    ({"max_completion_tokens": 0}, "max_completion_tokens"),
    ({"max_tokens": 5, "max_completion_tokens": 5}, "max_tokens"),
    ({"temperature": "hot"}, "temperature"),
    ({"stream": "yes"}, "stream"),
    ({"stream": 1}, "stream"),
    ({"stream_options": {"include_usage": True}}, "stream_options"),
    ({"stream": True, "stream_options": True}, "stream_options"),
    ({"tools": {}}, "tools"),
    ({"functions": "f"}, "functions"),
]


@pytest.fixture
async def api(start: Start) -> OpenAIAPI:
    """Of a server with the embedded models."""
    return await start()


async def test_a_wrong_shape_is_reported_with_its_location(api: OpenAIAPI) -> None:
    """On any route: shapes are checked first."""
    for fields, parameter in SHAPES:
        for index in ({}, {"index_name": "No such project"}):
            found = error(await api.post({"messages": [USER], **index, **fields}), 400)
            assert found["param"] == parameter, fields
            assert found["type"] == "invalid_request_error"
            assert found["message"].endswith(".")
            assert parameter is None or parameter in found["message"]


async def test_checks_come_in_order(start: Start) -> None:
    """Shape, index, ratio, route, user prompt, window: each request also fails all later checks."""
    models = [{"id": "chat", "object": "model", "max_model_len": 600}]
    silent = [{"role": "assistant", "content": "word " * 1000}]
    with running(RawServer(lambda _: {"choices": [{"message": {"content": "It is."}}]})) as model:
        model.models = models
        api = await start(model)

        async def found(**fields: Json) -> tuple[int, str]:
            body = {"messages": silent, "index_name": "nothing", "context_token_ratio": 0, **fields}
            response = await api.post(body)
            return response.status_code, response.json().get("error", {}).get("param")

        assert await found(n=2) == (400, "n")
        assert await found() == (404, "index_name")
        assert await found(index_name="Docs") == (400, "context_token_ratio")
        assert model.chats == []
        right: Json = {"index_name": "Docs", "context_token_ratio": 0.5}
        assert await found(**right, tools=[{"type": "function"}]) == (200, None)
        assert await found(**right) == (400, "messages")
        long = [*silent, USER]
        response = await api.post({"messages": long, **right})
    assert error(response, 400)["message"] == "Prompt length exceeds context window."
    assert len(model.chats) == 1


BODIES: Sequence[tuple[bytes, str]] = [
    (b"", "not valid JSON"),
    (b"{", "line 1, column 2"),
    (b'{"messages": [', "not valid JSON"),
    (b"hello", "not valid JSON"),
    (b'{"temperature": NaN}', "NaN is not a JSON number"),
    (b'{"temperature": -Infinity}', "-Infinity is not a JSON number"),
    (b'{"temperature": 1e999}', "too large a number"),
    (b'{"x": ' + b"9" * 5000 + b"}", "not valid JSON"),
    (b"[" * 100_000, "nested too deeply"),
    (b'{"x": ' + b"[" * 900 + b"]" * 900 + b"}", "nested too deeply"),
    (b'\xff\xfe{"a', "not valid JSON"),
    (b'{"x": "\xff"}', "it is not UTF-8"),
    (b"[]", "must be a JSON object"),
    (b"null", "must be a JSON object"),
    (b'"x"', "must be a JSON object"),
    (b"1", "must be a JSON object"),
]


async def test_a_body_that_is_not_a_json_object_is_refused(api: OpenAIAPI) -> None:
    for body, reason in BODIES:
        response = await api.raw("POST", CHAT, content=body, headers={"content-type": "application/json"})
        found = error(response, 400)
        assert found["code"] == "invalid_json"
        assert reason in found["message"], found["message"]


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_only_json_is_accepted(api: OpenAIAPI, media_type: str) -> None:
    """Other sites can send the other media types without a preflight."""
    body = json.dumps({"messages": [USER]})
    headers = {"content-type": media_type} if media_type else {}
    found = error(await api.raw("POST", CHAT, content=body, headers=headers), 415)
    assert "application/json" in found["message"]


async def test_a_compressed_body_is_refused_by_name(api: OpenAIAPI) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    body = gzip.compress(json.dumps({"messages": [USER]}).encode())
    found = error(await api.raw("POST", CHAT, content=body, headers=headers), 415)
    assert (found["code"], "Content-Encoding" in found["message"]) == ("unsupported_content_encoding", True)


@pytest.mark.parametrize("chunked", [False, True])
async def test_a_body_too_large_is_refused(start: Start, chunked: bool) -> None:
    api = await start(max_chat_body_bytes=100_000)
    fits = {"messages": [{"role": "user", "content": "x" * 90_000}]}
    body = json.dumps({"messages": [{"role": "user", "content": "x" * 200_000}]}).encode()

    async def pieces() -> Json:
        for at in range(0, len(body), 1000):
            yield body[at : at + 1000]

    content = pieces() if chunked else body
    headers = {"content-type": "application/json"}
    found = error(await api.raw("POST", CHAT, content=content, headers=headers), 413)
    assert "100,000 bytes" in found["message"]
    assert (await api.post(fits)).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", CHAT, "POST"),
        ("PUT", CHAT, "POST"),
        ("DELETE", CHAT, "POST"),
        ("POST", "/models", "GET"),
        ("DELETE", "/models/openai/chat", "GET"),
    ],
)
async def test_other_methods_are_not_allowed(api: OpenAIAPI, method: str, path: str, allowed: str) -> None:
    response = await api.raw(method, path)
    assert error(response, 405)["code"] == "method_not_allowed"
    assert allowed in response.headers["allow"]


@pytest.mark.parametrize("path", ["", "/", "/completions", "/chat/completions/", "/models/", "/embeddings", "/v1/chat"])
async def test_other_addresses_are_not_found(api: OpenAIAPI, path: str) -> None:
    found = error(await api.raw("GET", path), 404)
    assert (found["type"], found["code"]) == ("invalid_request_error", "unknown_url")
    paths = "/models, /chat/completions and /responses"
    assert found["message"].endswith(f"; the base URL of this API is {api.base}, and it has the paths {paths}.")


@pytest.mark.parametrize("base", ["", "/", "//v1"])
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", [CHAT, "/models", "/models/openai/chat", "/embeddings"])
async def test_a_wrong_base_url_is_told_the_right_one(api: OpenAIAPI, base: str, method: str, path: str) -> None:
    if base == "/":
        path = path.removeprefix("/")
    found = error(await api.http.request(method, f"{api.url}{base}{path}", json={}), 404)
    assert found["code"] == "unknown_url"
    assert f"the base URL of this API is {api.base}, " in found["message"]


async def test_a_base_url_is_named_at_the_address_that_was_called(start: Start) -> None:
    api = await start(trusted_proxies=["127.0.0.1"], allowed_hosts=["chat.example.org"], require_sign_in=False)
    proxied = {"host": "chat.example.org", "x-forwarded-proto": "https", "x-forwarded-for": "127.0.0.1"}
    for path, base in (("/v1/nothing", "/v1"), ("/models", "/v1"), ("/projects/A%20b/models", "/projects/A%20b/v1")):
        for headers, address in ((proxied, "https://chat.example.org"), ({}, api.url)):
            found = error(await api.http.get(f"{api.url}{path}", headers=headers), 404)
            assert f"the base URL of this API is {address}{base}, " in found["message"]


async def test_a_page_of_another_site_is_refused(start: Start) -> None:
    """JSON makes the browser send a preflight; only origins the operator names pass it."""
    api = await start(cors_origins=["https://app.example"])
    ask = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    foreign = await api.raw("OPTIONS", CHAT, headers={"origin": "https://evil.example", **ask})
    own = await api.raw("OPTIONS", CHAT, headers={"origin": "https://app.example", **ask})
    assert "access-control-allow-origin" not in foreign.headers
    assert own.headers["access-control-allow-origin"] == "https://app.example"
    answered = await api.http.post(
        f"{api.base}{CHAT}", json={"messages": [USER]}, headers={"origin": "https://app.example"}
    )
    assert "x-footnote-route" in answered.headers["access-control-expose-headers"].lower()
    by_name = await api.raw("GET", "/models", headers={"host": "evil.example"})
    assert by_name.status_code == 403, "the check of hosts refuses it"


# What a provider does, and what the client is told: status, code, header.
FAULTS: dict[str, tuple[Sequence[Fault], int, str, tuple[str, str] | None]] = {
    "has had enough": (
        [Refusal(429, headers={"retry-after": "61.5"})],
        429,
        "rate_limit_exceeded",
        ("retry-after", "62"),
    ),
    "no quota": (
        [Refusal(429, {"error": {"code": "insufficient_quota"}})],
        429,
        "insufficient_quota",
        ("x-should-retry", "false"),
    ),
    "does not take our key": ([Refusal(401)], 502, "model_unauthorized", ("x-should-retry", "false")),
    "forbids": ([Refusal(403)], 502, "model_unauthorized", None),
    "does not know the model": ([Refusal(404)], 404, "model_not_found", None),
    "refuses": ([Refusal(400, {"error": {"message": "top_p is odd, sk-very-secret"}})], 400, "model_refused", None),
    "is too small": ([Refusal(400, too_long(4096))], 400, "context_length_exceeded", None),
    "is broken for good": ([Refusal(500)] * 9, 503, "model_unavailable", None),
    "is busy": ([Refusal(503, headers={"retry-after": "40"})], 503, "model_unavailable", ("retry-after", "40")),
    "is a web page": ([Page()] * 9, 503, "model_unavailable", None),
}


@pytest.mark.parametrize("way", ["plain", "stream", "from documents"])
@pytest.mark.parametrize(("faults", "status", "code", "header"), FAULTS.values(), ids=FAULTS)
async def test_a_provider_that_fails_before_its_answer(
    start: Start, faults: Sequence[Fault], status: int, code: str, header: tuple[str, str] | None, way: str
) -> None:
    with running(OpenAIServer(lambda _: ["It is [1]."], faults=faults)) as model:
        api = await start(model)
        body: Json = {"messages": [USER], "stream": way != "plain"}
        response = await api.post({**body, "index_name": "Docs"} if way == "from documents" else body)
        found = error(response, status)
        assert found["code"] == code
        assert "very-secret" not in response.text
        if header:
            assert response.headers[header[0]] == header[1]
        model.faults = iter(())
        assert (await api.ask()).status_code == 200


@pytest.mark.parametrize(
    ("body", "parameter", "in_response"),
    [
        ({"error": {"message": "no", "param": "top_p"}}, "top_p", "top_p"),
        ({"object": "error", "message": "no", "param": "max_tokens"}, "max_tokens", "max_output_tokens"),
        ({"detail": [{"loc": ["body", "messages", 0, "content"], "msg": "no"}]}, "messages[0].content", "input"),
        (
            {"error": {"message": "no", "param": "response_format.json_schema"}},
            "response_format.json_schema",
            "text.format",
        ),
        ({"error": {"message": "no", "param": "http://10.0.0.1/?key=sk-very-secret"}}, None, None),
        ({"error": {"message": "no", "param": ["top_p"]}}, None, None),
        ("what?", None, None),
    ],
)
async def test_a_field_that_a_provider_refuses_is_named(
    start: Start, body: Json, parameter: str | None, in_response: str | None
) -> None:
    with running(OpenAIServer(faults=[Refusal(400, body)] * 2)) as model:
        api = await start(model)
        chat = error(await api.post({"messages": [USER]}), 400)
        response = error(await api.raw("POST", "/responses", json={"input": QUESTION}), 400)
    assert chat["code"] == response["code"] == "model_refused"
    assert chat["param"] == parameter
    assert response["param"] == in_response


async def test_a_model_elsewhere_is_refused_to_a_project_that_allows_local_ones_only(start: Start) -> None:
    api = await start(openai_base_url="http://192.0.2.1/v1")
    await api.graphql.mutate(CREATE_PROJECT, name="Local", localProvidersOnly=True)
    body = {"messages": [USER], "index_name": "Local", "model": "openai/chat"}
    for fields in ({}, {"tools": [{"type": "function"}]}):
        found = error(await api.post({**body, **fields}), 400)
        assert (found["code"], found["param"]) == ("model_refused", "model")


async def test_a_missing_provider(start: Start) -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    api = await start(openai_base_url=url, openai_api_key="sk-very-secret", chat_model="openai/chat")
    assert error(await api.post({"messages": [USER]}), 503)["code"] == "model_unavailable"
    assert error(await api.ask(), 503)["code"] == "model_unavailable"


@pytest.mark.parametrize(("streams", "index"), [(False, None), (True, None), (True, "Docs")])
async def test_an_answer_that_never_begins_has_a_time_limit(start: Start, streams: bool, index: str | None) -> None:
    limit = "model_first_token_seconds" if streams else "model_whole_answer_seconds"
    with running(RawServer(lambda _: None)) as model:
        model.stalls = True
        api = await start(model, **{limit: 0.3})
        found = error(await api.post({"messages": [USER], "stream": streams, "index_name": index}), 504)
        assert model.left.wait(120)
    assert found["code"] == "model_timeout"
    assert "0.3 seconds" in found["message"]


@pytest.mark.parametrize("documents", [False, True], ids=["passed through", "from documents"])
@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("end", "model_incomplete"),
        ("die", "model_incomplete"),
        ("half", "model_incomplete"),
        ("stall", "model_timeout"),
        ("error", "model_unavailable"),
    ],
)
async def test_a_stream_that_breaks_off_ends_with_an_error(start: Start, how: How, code: str, documents: bool) -> None:
    with running(OpenAIServer(lambda _: ["It ", "is ", "an operator."], faults=[Break(how, after=2)])) as model:
        # Only a model that stalls is waited for; the others must not be taken for one when the machine is busy.
        api = await start(model, model_between_tokens_seconds=2 if how == "stall" else 60)
        index = {"index_name": "Docs"} if documents else {}
        response = await api.post({"messages": [USER], "stream": True, **index})
    *chunks, last = events(response)
    assert text(chunks).startswith("It is")
    assert set(last) == {"error"}
    assert (last["error"]["code"], last["error"]["type"]) == (code, "server_error")
    assert set(last["error"]) == {"message", "type", "param", "code"}


async def test_an_interrupted_answer_is_not_an_answer(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["It ", "is."], faults=[Break("end", after=1)])) as model:
        assert error(await (await start(model)).ask(), 502)["code"] == "model_incomplete"


async def test_an_error_with_a_success_status_is_an_error(start: Start) -> None:
    with running(RawServer(lambda _: {"error": {"message": "the model crashed", "code": 500}})) as model:
        api = await start(model)
        assert error(await api.post({"messages": [USER]}), 503)["code"] == "model_unavailable"


NOTHINGS: list[Json] = [([{"error": {"message": "crashed"}}], 503), ([[]], 503), (["text"], 503), ([], 502)]


@pytest.mark.parametrize(("chunks", "status"), NOTHINGS)
async def test_an_empty_stream_is_not_an_answer(start: Start, chunks: Json, status: int) -> None:
    with running(RawServer(lambda _: chunks)) as model:
        api = await start(model)
        assert error(await api.post({"messages": [USER], "stream": True}), status)["type"] == "server_error"


async def test_internal_errors_are_masked_and_logged(
    start: Start, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    api = await start()
    with choose_driver().module.connect(tmp_path / "footnote.db") as db:
        db.execute("ALTER TABLE projects RENAME TO hidden")
    with caplog.at_level(logging.ERROR):
        found = error(await api.ask(), 500)
    assert found["code"] == "internal_error"
    assert "projects" not in found["message"]
    id = found["message"].split()[-1].rstrip(".")
    assert any(id in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("question", [QUESTION, ABSENT])
async def test_a_client_that_leaves_closes_the_providers_stream(start: Start, question: str) -> None:
    with running(OpenAIServer(lambda _: ["It ", "is"], faults=[Break("stall", after=2)])) as model:
        api = await start(model)
        body: Json = {"messages": [{"role": "user", "content": question}], "stream": True, "index_name": "Docs"}
        async with api.http.stream("POST", f"{api.base}{CHAT}", json=body) as response:
            await anext(response.aiter_bytes())
            assert not model.left.is_set()
        assert model.left.wait(120)


async def test_a_client_that_disconnects_closes_the_providers_request(start: Start) -> None:
    with running(RawServer(lambda _: {})) as model:
        model.stalls = True
        api = await start(model)
        asking = asyncio.create_task(api.post({"messages": [USER]}))
        assert await asyncio.to_thread(model.asked.wait, 120)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await asyncio.to_thread(model.left.wait, 120)
