"""What operators see of a running server: metrics, JSON logs with request ids, and whether it is alive and ready."""

import asyncio
import json
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.observation.metrics import Metrics
from app.observation.observer import ModelCall
from app.observation.server_state import ServerState
from tests import newest
from tests.answers import TEXT, Start, asked, openai
from tests.graphql.client import Client
from tests.looking import pause
from tests.servers.openai import OpenAIServer
from tests.servers.running import Refusal, running
from tests.serving import serve_in_process
from tests.signed_in_server import StartSignedIn

QUESTION = "Until when can goods be returned?"


def root(client: Client) -> str:
    return client.url.removesuffix("/graphql")


async def scrape(client: Client) -> dict[str, float]:
    """The value of each sample, by its name and labels."""
    response = await client.http.get(f"{root(client)}/metrics")
    assert response.status_code == 200
    return parsed(response.text)


def parsed(text: str) -> dict[str, float]:
    return {
        sample.name + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_answers_documents_calls_and_requests_are_counted(start: Start) -> None:
    client = start()
    before = await scrape(client)
    await asked(client, QUESTION)
    seen = await scrape(client)
    answered = "footnote_answers_total model=embedded/extractive outcome=CITED route=RAG"
    assert (answered in before, seen[answered]) == (False, 1)
    assert seen["footnote_documents_total failure= status=READY"] == 1
    assert seen["footnote_model_calls_total error= kind=CHAT model=embedded/extractive"] == 1
    assert seen["footnote_http_requests_total area=metrics method=GET status=200"] == 1
    for histogram in ("first_token_seconds", "retrieval_seconds", "answer_similarity", "citation_support"):
        assert seen[f"footnote_{histogram}_count"] == 1, histogram
    assert 0 < seen["footnote_retrieval_seconds_sum"] < seen["footnote_answer_seconds_sum"]
    assert seen["footnote_tokens_total kind=output"] > 0
    assert seen["footnote_answer_events_total"] >= 2
    assert seen["footnote_cache_lookups_total cache=results"] >= 1
    assert seen["footnote_database_trips_total"] > before["footnote_database_trips_total"]
    assert (seen["footnote_running_answers"], seen["footnote_queued_documents"]) == (0, 0)
    assert seen["process_resident_memory_bytes"] > 10_000_000


def test_labels_are_few_whatever_models_users_name() -> None:
    metrics = Metrics()
    for number in range(80):
        metrics.observe(ModelCall(f"openai/{number}", "CHAT", 1.0, None, None, None, "MODEL_UNAVAILABLE"))
    calls = {name: value for name, value in parsed(metrics.render(ServerState()).decode()).items() if "calls_" in name}
    counted = {name: value for name, value in calls.items() if "_total" in name}
    assert (len(counted), sum(counted.values())) == (51, 80)
    assert counted["footnote_model_calls_total error=MODEL_UNAVAILABLE kind=CHAT model=other"] == 30


async def test_names_of_models_that_do_not_exist_take_no_label_from_those_that_do(start: Start) -> None:
    with running(OpenAIServer(lambda _: ["Yes."])) as model:
        client = start(**openai(model))
        url = f"{root(client)}/v1/chat/completions"
        for name in (*(f"embedded/made-up-{number}" for number in range(60)), "openai/chat"):
            await client.http.post(url, json={"model": name, "messages": [{"role": "user", "content": "Is it?"}]})
        counted = await scrape(client)
    assert [name for name in counted if "model_calls_total" in name and "model=openai/chat" in name]
    assert not [name for name in counted if "made-up" in name]


async def test_names_that_a_router_refuses_take_no_label_either(start: Start) -> None:
    unknown = Refusal(400, {"error": {"message": "made-up is not a valid model ID"}})
    with running(OpenAIServer(lambda _: ["Yes."], faults=[unknown] * 60)) as model:
        client = start(**openai(model))
        url = f"{root(client)}/v1/chat/completions"
        for name in (*(f"openai/made-up-{number}" for number in range(60)), "openai/chat"):
            await client.http.post(url, json={"model": name, "messages": [{"role": "user", "content": "Is it?"}]})
        counted = await scrape(client)
    assert [name for name in counted if "model_calls_total" in name and "model=openai/chat" in name]
    assert not [name for name in counted if "made-up" in name]


@pytest.mark.parametrize("streams", [False, True])
async def test_an_answer_that_is_passed_through_whole_is_no_cancelled_call(start: Start, streams: bool) -> None:
    with running(OpenAIServer(lambda _: ["Yes."])) as model:
        client = start(**openai(model))
        body = {"model": "openai/chat", "messages": [{"role": "user", "content": "Is it?"}], "stream": streams}
        assert (await client.http.post(f"{root(client)}/v1/chat/completions", json=body)).status_code == 200
        counted: list[str] = []
        async with asyncio.timeout(30):
            while not counted:  # it is counted once the answer has been sent
                counted = [name for name in await scrape(client) if "model_calls_total" in name]
                await pause()
    assert counted == ["footnote_model_calls_total error= kind=CHAT model=openai/chat"]


@pytest.mark.parametrize("token", [None, "scraping", "schöpfen"])
async def test_metrics_need_their_token_where_users_sign_in(signed: StartSignedIn, token: str | None) -> None:
    server = await signed(metrics_token=token)
    async with httpx.AsyncClient() as http:
        for sent in (None, f"Bearer {server.token}", "Bearer guessed", "Bearer scraping", "Bearer schöpfen"):
            headers = [] if sent is None else [(b"authorization", sent.encode())]
            response = await http.get(f"{server.url}/metrics", headers=headers)
            is_right = token is not None and sent == f"Bearer {token}"
            assert response.status_code == (200 if is_right else 401), sent
            assert is_right or "METRICS_TOKEN" in response.json()["error"]


async def test_metrics_can_be_turned_off(start: Start) -> None:
    client = start(metrics=False)
    response = await client.http.get(f"{root(client)}/metrics")
    assert (response.status_code, response.json()) == (404, {"error": "METRICS=false turns this off."})


async def test_a_server_says_whether_it_is_alive_and_ready(start: Start) -> None:
    client = start(openai_base_url="http://127.0.0.1:9/v1", chat_model="openai/chat")
    for path, status, text in (("livez", 200, "ok\n"), ("readyz", 200, "OK\n")):
        response = await client.http.get(f"{root(client)}/{path}")
        assert (response.status_code, response.text) == (status, text)


async def test_a_hundred_who_ask_at_once_share_a_look(start: Start) -> None:
    """Anyone may ask, and a look writes to the database and calls the model server."""
    with running(OpenAIServer()) as model:
        client = start(**openai(model))
        trips, began = await read_trips(client), time.monotonic()
        for path in ("readyz", "health"):
            responses = await asyncio.gather(*(client.http.get(f"{root(client)}/{path}") for _ in range(100)))
            assert {response.status_code for response in responses} == {200}
        # A look at the database and one at the models begin every 50 ms at most, however busy the machine is.
        looks = 2 + (time.monotonic() - began) / 0.05
        assert len(model.bodies("/v1/models")) < min(40, looks)
    assert await read_trips(client) - trips < min(3 * looks + 5, 200)


async def read_trips(client: Client) -> float:
    """The trips to the database so far."""
    return (await scrape(client))["footnote_database_trips_total"]


async def test_logs_are_json_with_the_ids_that_the_api_shows(tmp_path: Path) -> None:
    newest.put(tmp_path / "footnote.db")
    more = {"LOG_FORMAT": "json", "ACCESS_LOG": "true", "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db"}
    with serve_in_process(more, stderr=subprocess.PIPE) as (server, url):
        assert server.stderr
        async with httpx.AsyncClient(timeout=60, headers={"x-request-id": "order-66"}) as http:
            client = Client(http, url)
            project = await client.project("Shop")
            await client.ready(project, "Returns", TEXT)
            answer_id = await client.answered(await client.session(project), QUESTION)
            echoed = await http.get(f"{root(client)}/livez", headers={"x-request-id": "two\tlines"})
            await http.get(f"{root(client)}/%c2%9b31m%e2%80%a8%7f")
            assert (await http.get(f"{root(client)}/livez")).headers["x-request-id"] == "order-66"
        server.terminate()
        said = server.stderr.read()
    assert not {"\x9b", "\u2028", "\x7f"} & set(said), "terminals obey them, or take them for the end of a line"
    lines = [json.loads(line) for line in said.splitlines()]
    (answer,) = [line for line in lines if line["message"] == "answer"]
    assert (answer["message_id"], answer["request_id"]) == (answer_id, "order-66")
    assert (answer["outcome"], answer["route"], answer["level"]) == ("CITED", "RAG", "INFO")
    assert answer["chunks"] >= 1 and answer["retrieval_ms"] > 0 and answer["first_token_ms"] > 0
    requests = [line for line in lines if line["message"] == "request"]
    assert {line["path"] for line in requests} >= {"/graphql", "/livez", "/\x9b31m\u2028\x7f"}
    assert all(line["duration_ms"] >= 0 and "timestamp" in line for line in requests)
    made = echoed.headers["x-request-id"]
    assert len(made) == 32 and made in {line["request_id"] for line in requests}
    assert QUESTION not in json.dumps(lines)
