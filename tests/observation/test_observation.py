"""What an observer is told by a running server: answers, model calls, log writes and documents."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from app import main
from app.observation.observer import (
    AnswerLogWrite,
    AnswerRecord,
    DocumentRecord,
    ModelCall,
    ModelCallKind,
    Observer,
    Record,
    RequestRecord,
)
from app.providers.base import PromptMessage
from app.providers.tokens import TokenCounter
from app.statuses import AnswerOutcome, DocumentStatus, IngestionStage, Route
from tests.answers import TEXT, asked, final, openai
from tests.conftest import MakeSettings
from tests.graphql.client import Client
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.rerank import RerankServer
from tests.servers.running import running
from tests.serving import serving

Observed = Callable[..., Client]
QUESTION = "Until when can goods be returned?"


class RecordingObserver:
    """Keeps what it receives."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def observe(self, record: Record) -> None:
        self.records.append(record)

    @property
    def answers(self) -> list[AnswerRecord]:
        return [record for record in self.records if isinstance(record, AnswerRecord)]

    @property
    def writes(self) -> list[AnswerLogWrite]:
        return [record for record in self.records if isinstance(record, AnswerLogWrite)]

    @property
    def documents(self) -> list[DocumentRecord]:
        return [record for record in self.records if isinstance(record, DocumentRecord)]

    @property
    def requests(self) -> list[RequestRecord]:
        return [record for record in self.records if isinstance(record, RequestRecord)]

    def calls_of(self, kind: ModelCallKind) -> list[ModelCall]:
        return [record for record in self.records if isinstance(record, ModelCall) and record.kind == kind]


class BrokenObserver:
    """Raises whatever happens."""

    def __init__(self) -> None:
        self.raised: set[type] = set()

    def observe(self, record: Record) -> None:
        self.raised.add(type(record))
        raise RuntimeError("the observer is broken")


@pytest.fixture
async def observe(make_settings: MakeSettings) -> AsyncGenerator[Observed]:
    """Start a server that this observer watches, and return its client."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        def start(observer: Observer, **values: object) -> Client:
            settings = make_settings(**values)
            app = main.create_app(settings, observer=observer)
            return Client(http, stack.enter_context(serving(settings, app)))

        yield start


@pytest.mark.one_database
async def test_an_answer_is_one_record(observe: Observed) -> None:
    observer = RecordingObserver()
    models = [{"id": "chat", "object": "model", "max_model_len": 1500}]
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."], models=models)) as model:
        message = await asked(observe(observer, **openai(model)), QUESTION, maxTokens=5000)
    (record,) = observer.answers
    assert (record.model, record.route, record.outcome, record.failure) == (
        "openai/chat",
        Route.RAG,
        AnswerOutcome.CITED,
        None,
    )
    assert record.support is not None and 0 <= record.support <= 1
    assert record.request_id in [request.id for request in observer.requests if request.area == "graphql"]
    assert record.message_id and record.session_id and record.project_id and record.user_id
    assert record.question == QUESTION
    included = [each for each in message["budget"]["candidates"] if each["decision"] == "INCLUDED"]
    assert (record.chunks, record.citations) == (len(included), 1)
    assert record.mean_score is not None and 0 < record.mean_score <= 1
    segments = {each["kind"]: each["tokens"] for each in message["budget"]["segments"]}
    assert (record.context_window, record.context_tokens) == (1500, segments["CONTEXT"])
    assert (record.input_tokens, record.output_tokens) == (
        message["usage"]["inputTokens"],
        message["usage"]["outputTokens"],
    )
    granted = message["budget"]["adjustedMaxTokens"]
    assert (record.max_tokens_requested, record.max_tokens_granted, record.is_reduced) == (5000, granted, True)
    assert record.retrieval_ms is not None and record.first_token_ms is not None
    assert 0 < record.retrieval_ms < record.first_token_ms < record.total_ms


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("question", "room"),
    [("Who won the chess championship?", 8000), (f"{QUESTION} {'Tell me of the days. ' * 100}", 0)],
    ids=["nothing found", "no room for what was found"],
)
async def test_a_request_passed_on_without_sources_is_recorded_so(observe: Observed, question: str, room: int) -> None:
    observer = RecordingObserver()
    window = TokenCounter().count_messages([PromptMessage("user", question)]) + room
    models = [{"id": "chat", "object": "model", "max_model_len": window}]
    with running(OpenAIServer(lambda _: ["No idea."], models=models)) as model:
        client = observe(observer, **openai(model))
        await client.ready(await client.project("Shop"), "Returns", TEXT)
        body = {"model": "openai/chat", "index_name": "Shop", "messages": [{"role": "user", "content": question}]}
        url = f"{client.url.removesuffix('/graphql')}/v1/chat/completions"
        response = await client.http.post(url, json=body)
    assert (response.status_code, response.headers["x-footnote-route"]) == (200, "no-sources")
    assert response.json()["choices"][0]["message"]["content"] == "No idea."
    (record,) = observer.answers
    assert (record.outcome, record.failure, record.chunks) == (AnswerOutcome.NO_SOURCES, None, 0)


async def test_model_calls_log_writes_and_documents_are_observed(observe: Observed) -> None:
    observer = RecordingObserver()
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        await asked(observe(observer, **openai(model)), QUESTION)
    (call,) = observer.calls_of("CHAT")
    assert (call.model, call.kind, call.error) == ("openai/chat", "CHAT", None)
    assert call.first_piece_ms is not None and 0 < call.first_piece_ms <= call.duration_ms
    assert sum(write.events for write in observer.writes) >= 4
    assert all(write.answers == 1 and write.waited_ms > 0 for write in observer.writes)
    (document,) = observer.documents
    assert (document.status, document.failure_code, document.chunks) == (DocumentStatus.READY, None, 1)
    assert set(document.stage_ms) == {IngestionStage.PARSING, IngestionStage.EMBEDDING, IngestionStage.INDEXING}
    assert all(duration > 0 for duration in document.stage_ms.values())


@pytest.mark.one_database
async def test_calls_of_the_embedded_models_are_observed(observe: Observed) -> None:
    observer = RecordingObserver()
    message = await asked(observe(observer), QUESTION)
    (answer,) = observer.calls_of("CHAT")
    assert (answer.model, answer.error) == ("embedded/extractive", None)
    assert answer.first_piece_ms is not None and 0 < answer.first_piece_ms <= answer.duration_ms
    assert (answer.input_tokens, answer.output_tokens) == (
        message["usage"]["inputTokens"],
        message["usage"]["outputTokens"],
    )
    embeddings = observer.calls_of("EMBEDDING")
    assert len(embeddings) >= 2, "the document and the question"
    assert {(call.model, call.error, call.first_piece_ms) for call in embeddings} == {
        ("embedded/wordllama", None, None)
    }
    assert all(call.duration_ms > 0 for call in embeddings)


@pytest.mark.one_database
@pytest.mark.parametrize("error", [None, "MODEL_UNAVAILABLE"])
async def test_rerank_calls_are_observed(observe: Observed, error: str | None) -> None:
    observer = RecordingObserver()
    with running(OpenAIServer(lambda _: ["Deer [1]."])) as model, running(RerankServer("wolf deer")) as server:
        url = f"http://127.0.0.1:{closed_port()}" if error else f"{server.url}/v1/"
        client = observe(observer, **openai(model), rerank_url=url, rerank_model="cross")
        project = await client.project("Forest")
        await client.ready(project, "Wolves", "The wolf hunts deer in winter.")
        await client.ready(project, "Mice", "The wolf hunts mice in summer.")
        await final(client, await client.session(project), "What does the wolf hunt?")
    (call,) = observer.calls_of("RERANK")
    assert (call.model, call.error, call.first_piece_ms) == ("cross", error, None)
    assert call.duration_ms > 0


@pytest.mark.one_database
async def test_what_fails_is_observed_with_its_code(observe: Observed) -> None:
    observer = RecordingObserver()
    settings = {"openai_base_url": f"http://127.0.0.1:{closed_port()}/v1", "chat_model": "openai/chat"}
    client = observe(observer, **settings)
    message = await asked(client, QUESTION)
    assert message["failure"]["code"] == "MODEL_UNAVAILABLE"
    (record,) = observer.answers
    assert (record.outcome, record.failure, record.output_tokens) == (None, "MODEL_UNAVAILABLE", None)
    assert [(call.kind, call.error, call.first_piece_ms) for call in observer.calls_of("CHAT")] == [
        ("CHAT", "MODEL_UNAVAILABLE", None)
    ]


async def test_an_observer_that_raises_harms_no_answer(observe: Observed) -> None:
    observer = BrokenObserver()
    with running(OpenAIServer(lambda _: ["Within 30 days [1]."])) as model:
        message = await asked(observe(observer, **openai(model)), QUESTION)
    assert (message["status"], message["outcome"]) == ("COMPLETED", "CITED")
    assert observer.raised == {AnswerRecord, ModelCall, AnswerLogWrite, DocumentRecord, RequestRecord}
