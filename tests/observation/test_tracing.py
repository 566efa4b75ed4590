"""Traces of answers and documents, as a receiver gets them: what belongs to what, and what they do not hold."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest

from app import main
from tests import newest
from tests.answers import asked, openai
from tests.conftest import MakeSettings
from tests.forks.commands import start_footnote
from tests.graphql.client import EVENTS, SEND, Client
from tests.servers.openai import CHAT, EMBEDDINGS, OpenAIServer
from tests.servers.otlp import OtlpReceiver, SentSpan
from tests.servers.ports import closed_port
from tests.servers.rerank import RerankServer
from tests.servers.running import Recorded, Refusal, running
from tests.serving import serving

QUESTION = "What does the wolf hunt?"
TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SERVER, CLIENT = 2, 3


def continued(request: Recorded) -> tuple[str, str]:
    """The trace and the span that a request belongs to."""
    version, trace, span, flags = request.headers["traceparent"].split("-")
    assert (version, flags) == ("00", "01")
    return trace, span


async def test_an_answer_is_one_trace_from_the_request_to_the_models_and_its_log(tmp_path: Path) -> None:
    newest.put(tmp_path / "footnote.db")
    with (
        running(OtlpReceiver()) as receiver,
        running(OpenAIServer(lambda _: ["Deer [1]."])) as model,
        running(RerankServer("wolf deer")) as reranker,
    ):
        environment = {
            "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db",
            "LOG_FORMAT": "JSON",
            "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url,
            "OTEL_SERVICE_NAME": "shop-answers",
            "OPENAI_BASE_URL": model.url,
            "CHAT_MODEL": "openai/chat",
            "EMBEDDING_MODEL": "openai/embed",
            "RERANK_URL": f"{reranker.url}/v1",
        }
        answer, lines = await ask_traced(environment)
    request = next(span for span in receiver.spans if span.parent == CALLER)
    assert (request.name, request.trace, request.kind) == ("POST /graphql", TRACE, SERVER)
    assert request.attributes["http.response.status_code"] == 200
    assert request.resource["service.name"] == "shop-answers"
    retrieval = ["retrieval", ["embeddings openai/embed"], ["search vectors"], ["search words"]]
    steps = [["build prompt"], ["chat openai/chat"], ["rerank reranker"], retrieval]
    assert receiver.tree(request) == ["POST /graphql", ["mutation", ["answer", *steps]]]
    spans = {span.id: span for span in receiver.spans}
    (chat,) = [each for each in model.requests if each.path == CHAT]
    query = [each for each in model.requests if each.path == EMBEDDINGS][-1]
    (rerank,) = reranker.requests
    for sent, name in ((chat, "chat openai/chat"), (query, "embeddings openai/embed"), (rerank, "rerank reranker")):
        trace, span = continued(sent)
        assert (trace, spans[span].name, spans[span].kind) == (TRACE, name, CLIENT)
    asked_model = receiver.named("chat openai/chat").attributes
    assert asked_model["gen_ai.operation.name"] == "chat"
    assert (asked_model["gen_ai.provider.name"], asked_model["gen_ai.request.model"]) == ("openai", "chat")
    assert asked_model["gen_ai.usage.input_tokens"] > 100 > asked_model["gen_ai.usage.output_tokens"] > 0
    ended = receiver.named("answer")
    assert ended.attributes["footnote.message.id"] == answer
    assert ended.attributes["footnote.answer.outcome"] == "CITED"
    (record,) = [line for line in lines if line["message"] == "answer"]
    assert (record["trace_id"], record["span_id"]) == (TRACE, ended.id)
    ingested = [receiver.tree(span) for span in receiver.spans if span.name == "ingest documents"]
    assert ingested == [["ingest documents", ["embeddings openai/embed"], ["parse document"], ["store documents"]]] * 2
    assert not holds_texts(receiver.spans)


async def ask_traced(environment: dict[str, str]) -> tuple[str, list[dict[str, Any]]]:
    """Ask a server in a process of its own, as part of a trace; returns the answer's id, and the server's log."""
    pipe = subprocess.PIPE
    with start_footnote(
        "serve", "--port", "0", environment={**os.environ, **environment}, stdout=pipe, stderr=pipe
    ) as server:
        assert server.stdout and server.stderr
        url = next(word for line in server.stdout for word in line.split() if word.endswith("/graphql"))
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, url.removesuffix("/graphql"))
            project = await client.project("Forest")
            await client.ready(project, "Wolves", "The wolf hunts deer in winter.")
            await client.ready(project, "Mice", "The wolf hunts mice in summer.")
            session = await client.session(project)
            http.headers["traceparent"] = f"00-{TRACE}-{CALLER}-01"
            answer = (await client.mutate(SEND, sessionId=session, content=QUESTION))["answer"]["id"]
            await client.follow(EVENTS, id=answer)
        server.terminate()
        return answer, [json.loads(line) for line in server.stderr.read().splitlines()]


def holds_texts(spans: list[SentSpan]) -> bool:
    kept = json.dumps([span.attributes for span in spans], ensure_ascii=False)
    return QUESTION in kept or "hunts" in kept


async def test_texts_are_in_traces_only_if_that_is_wanted(make_settings: MakeSettings) -> None:
    wanted = "Until when can goods be returned?"
    with running(OtlpReceiver()) as receiver, running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        settings = make_settings(
            otel_exporter_otlp_traces_endpoint=f"{receiver.url}/v1/traces",
            otel_instrumentation_genai_capture_message_content=True,
            **openai(model),
        )
        async with httpx.AsyncClient(timeout=60) as http:
            with serving(settings, main.create_app(settings)) as url:
                await asked(Client(http, url), wanted)
    assert receiver.named("retrieval").attributes["gen_ai.retrieval.query.text"] == wanted
    (system, question) = json.loads(receiver.named("chat openai/chat").attributes["gen_ai.input.messages"])
    assert (system["role"], question["role"]) == ("system", "user")
    assert question["parts"][0]["content"].endswith(wanted)


async def test_a_failed_answer_is_a_failed_span(make_settings: MakeSettings) -> None:
    with running(OtlpReceiver()) as receiver, running(OpenAIServer(faults=[Refusal(401)] * 9)) as model:
        settings = make_settings(otel_exporter_otlp_endpoint=receiver.url, **openai(model))
        async with httpx.AsyncClient(timeout=60) as http:
            with serving(settings, main.create_app(settings)) as url:
                message = await asked(Client(http, url), QUESTION, enableRag=False)
    for name in ("chat openai/chat", "answer"):
        span = receiver.named(name)
        assert (span.is_failed, span.attributes["error.type"]) == (True, message["failure"]["code"]), name
    assert not receiver.named("ingest documents").is_failed


async def test_what_a_stranger_sends_makes_no_long_attribute(make_settings: MakeSettings) -> None:
    """Receivers refuse batches of more than a few megabytes, and with it the spans of others."""
    name = "N" * 15_000
    sign_in = f'mutation {name} {{ signIn(input: {{ email: "x", password: "x" }}) {{ __typename }} }}'
    with running(OtlpReceiver()) as receiver:
        settings = make_settings(otel_exporter_otlp_endpoint=receiver.url, require_sign_in=True)
        async with httpx.AsyncClient(timeout=60) as http:
            with serving(settings, main.create_app(settings)) as url:
                assert (await http.get(f"{url}/{'x' * 60_000}")).status_code == 404
                assert (await http.post(f"{url}/graphql", json={"query": sign_in})).status_code == 200
    assert {"GET /other", "POST /graphql", "mutation"} <= {span.name for span in receiver.spans}
    assert max(len(str(value)) for span in receiver.spans for value in span.attributes.values()) <= 501


async def test_a_receiver_that_is_gone_delays_nothing(make_settings: MakeSettings) -> None:
    with running(OpenAIServer(lambda _: ["Within 30 days."])) as model:
        gone = f"http://127.0.0.1:{closed_port()}"
        settings = make_settings(otel_exporter_otlp_endpoint=gone, **openai(model))
        async with httpx.AsyncClient(timeout=60) as http:
            with serving(settings, main.create_app(settings)) as url:
                message = await asked(Client(http, url), QUESTION, enableRag=False)
    assert message["status"] == "COMPLETED"


@pytest.mark.parametrize("values", [{}, {"otel_exporter_otlp_endpoint": "x", "otel_sdk_disabled": True}])
async def test_without_a_receiver_nothing_is_traced(make_settings: MakeSettings, values: dict[str, Any]) -> None:
    """Not even the headers of requests to models."""
    with running(OtlpReceiver()) as receiver, running(OpenAIServer(lambda _: ["Within 30 days."])) as model:
        if values:
            values = {**values, "otel_exporter_otlp_endpoint": receiver.url}
        settings = make_settings(**values, **openai(model))
        async with httpx.AsyncClient(timeout=60) as http:
            with serving(settings, main.create_app(settings)) as url:
                await asked(Client(http, url), QUESTION, enableRag=False)
        assert model.requests and not any("traceparent" in request.headers for request in model.requests)
    assert receiver.spans == []
