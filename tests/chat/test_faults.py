"""Misbehaving model servers of every kind seen in practice, through the whole product over real sockets."""

import asyncio
import socket
from collections.abc import Generator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest

from app.providers.resilience.circuit_breaker import FAILURES_TO_OPEN
from app.settings import Settings
from tests.faults import BETWEEN_TOKENS_SECONDS, CASES, FIRST_TOKEN_SECONDS, PIECES, REFUSING, TIMEOUT, Case
from tests.graphql.client import EVENTS, INGESTION, SEND, Client, Json, subscribe
from tests.servers.ollama import Model, OllamaServer
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.running import Body, Break, running
from tests.serving import serve

MESSAGE = "query($id: ID!) { message(id: $id) { content status failure { code message retryable } } }"
CANCEL = """mutation($input: CancelAnswerInput!) { cancelAnswer(input: $input) {
  ... on CancelAnswerPayload { answer { status content } } ... on Error { message } } }"""
HEALTH = "{ health { components { name status detail } } }"
ADD_TEXT = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  ... on AddTextDocumentPayload { document { id } } } }"""

Provider = Literal["openai", "ollama"]
PROVIDERS: tuple[Provider, ...] = ("openai", "ollama")
HEALTHY = "healthy"


@dataclass(frozen=True)
class Outcome:
    """The outcome of an answer, and the requests its model received."""

    status: str
    failure: str | None
    retryable: bool
    requests: int
    text: str


def expected(case: Case) -> Outcome:
    return Outcome(case.status, case.failure, case.retryable, case.requests, case.text)


class Servers:
    """Both stand-ins with a model per case, and a Footnote server that uses them."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        pieces = {case.name: case.pieces for case in CASES}

        def answer(body: Body) -> tuple[str, ...]:
            return pieces.get(body["model"], PIECES)

        self.openai = stack.enter_context(running(OpenAIServer(answer)))
        models = {name: Model() for name in (*pieces, HEALTHY, "stalling")}
        self.ollama = stack.enter_context(running(OllamaServer(answer, models=models)))
        for server in (self.openai, self.ollama):
            server.scripts = {case.name: case.script() for case in CASES}
        patient: dict[str, Any] = {"model_first_token_seconds": 120, "model_between_tokens_seconds": 120}
        models_at = {"openai": self.openai.url, "ollama": self.ollama.url}
        self.hasty = stack.enter_context(serve(settings(folder / "hasty.db", **models_at)))
        # What ends by itself may take any time: dozens of answers at once do, on a busy machine.
        self.patient = stack.enter_context(serve(settings(folder / "patient.db", **models_at, **patient)))
        refused = settings(folder / "refused.db", openai=nowhere(), ollama=nowhere(), **patient)
        self.refused = stack.enter_context(serve(refused))

    def address(self, case: Case) -> str:
        """The server that a case is tried with."""
        if case is REFUSING:
            return self.refused
        return self.hasty if case.failure == TIMEOUT else self.patient

    def requests(self, provider: Provider, model: str) -> int:
        chats = self.openai.chats if provider == "openai" else self.ollama.chats
        return sum(body["model"] == model for body in chats)


def nowhere() -> str:
    return f"http://127.0.0.1:{closed_port()}"


def settings(database: Path, *, openai: str, ollama: str | None = None, **more: object) -> Settings:
    values = {
        "database_url": f"sqlite:///{database}",
        "openai_base_url": openai,
        "openai_api_key": "sk-very-secret",
        "ollama_host": ollama,
        "model_first_token_seconds": FIRST_TOKEN_SECONDS,
        "model_between_tokens_seconds": BETWEEN_TOKENS_SECONDS,
        **more,
    }
    return Settings.model_validate(values)


async def answered(client: Client, project: str, model: str) -> Json:
    """The final answer of a model, asked without documents."""
    session = await client.session(project, enableRag=False, model=model)
    answer = await client.answered(session, "May goods be returned?")
    return (await client.run(MESSAGE, id=answer))["message"]


async def observe(servers: Servers) -> Mapping[tuple[Provider, str], Outcome]:
    """Run every case with both providers, side by side.

    Cases that count as "the server is down" run in groups too small to open a circuit breaker, each followed by a
    success, so that no case affects another.
    """
    found: dict[tuple[Provider, str], Outcome] = {}

    async def one(provider: Provider, case: Case) -> None:
        address = servers.address(case)
        message = await answered(clients[address], projects[address], f"{provider}/{case.name}")
        failure: Json = message["failure"] or {"code": None, "retryable": False}
        found[provider, case.name] = Outcome(
            message["status"],
            failure["code"],
            failure["retryable"],
            servers.requests(provider, case.name),
            message["content"],
        )

    down, up = [case for case in CASES if case.down], [case for case in CASES if not case.down]
    waves = [down[at : at + FAILURES_TO_OPEN - 1] for at in range(0, len(down), FAILURES_TO_OPEN - 1)]
    async with httpx.AsyncClient(timeout=120) as http:
        clients = {url: Client(http, url) for url in (servers.hasty, servers.patient, servers.refused)}
        projects = {url: await client.project("Faults") for url, client in clients.items()}
        await asyncio.gather(*(one(provider, case) for provider in PROVIDERS for case in [REFUSING, *waves[0], *up]))
        for wave in waves[1:]:
            for provider in PROVIDERS:
                for url in (servers.hasty, servers.patient):
                    message = await answered(clients[url], projects[url], f"{provider}/{HEALTHY}")
                    assert message["status"] == "COMPLETED"
            await asyncio.gather(*(one(provider, case) for provider in PROVIDERS for case in wave))
    return found


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Generator[Servers]:
    with ExitStack() as stack:
        yield Servers(tmp_path_factory.mktemp("faults"), stack)


@pytest.fixture(scope="module")
def outcomes(servers: Servers) -> Mapping[tuple[Provider, str], Outcome]:
    return asyncio.run(observe(servers))


@pytest.mark.parametrize("case", [REFUSING, *CASES], ids=lambda case: case.name)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_fault_has_the_outcome_in_the_table(
    outcomes: Mapping[tuple[Provider, str], Outcome], provider: Provider, case: Case
) -> None:
    assert outcomes[provider, case.name] == expected(case)


async def health(client: Client, provider: str) -> tuple[str, str | None]:
    found = (await client.run(HEALTH))["health"]["components"]
    return next((part["status"], part["detail"]) for part in found if part["name"] == provider)


async def test_nobody_waits_for_a_hanging_server_while_its_circuit_is_open(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:  # connections wait to be accepted for ever
        host = f"http://127.0.0.1:{hanging.getsockname()[1]}"
        limits = {"model_connect_seconds": 1, "model_first_token_seconds": 0.2}
        with serve(settings(tmp_path / "footnote.db", openai=host, ollama=host, **limits)) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                project = await client.project("Hanging")
                failed = await asyncio.gather(
                    *(answered(client, project, "ollama/tiny") for _ in range(FAILURES_TO_OPEN))
                )
                assert {message["failure"]["code"] for message in failed} == {"MODEL_TIMEOUT"}
                message = await answered(client, project, "ollama/tiny")
    # It was not even asked for its window, or it would have timed out once more.
    assert "is tried again in" in message["failure"]["message"]


async def until_waiting(client: Client, requests: int) -> None:
    """Wait until this many are queued, or for ten seconds."""
    async with asyncio.timeout(120):
        while True:
            if await health(client, "openai") == ("OK", f"Requests waiting for their turn: {requests}."):
                return


async def first_delta(client: Client, answer: str) -> None:
    """Wait until an answer has started."""
    async with client.socket() as connection:
        async for event in subscribe(connection, EVENTS, id=answer):
            if event["__typename"] == "AnswerDelta":
                return
    raise AssertionError("there was no delta")


async def sent(client: Client, project: str, question: str, **values: Json) -> str:
    """Ask in a new session; returns the id of the running answer."""
    session = await client.session(project, enableRag=False, **values)
    return (await client.mutate(SEND, sessionId=session, content=question))["answer"]["id"]


async def test_a_server_that_is_down_is_not_asked_until_the_pause_is_over(tmp_path: Path) -> None:
    port = closed_port()
    down = settings(tmp_path / "footnote.db", openai=f"http://127.0.0.1:{port}/v1", embedding_model="openai/embed")
    with ExitStack() as stack:
        url = stack.enter_context(serve(down))
        async with httpx.AsyncClient(timeout=120) as http:
            client = Client(http, url)
            project = await client.project("Down")
            failed = await asyncio.gather(*(answered(client, project, "openai/chat") for _ in range(FAILURES_TO_OPEN)))
            told = "chat at openai cannot be reached: the connection was refused."
            assert {message["failure"]["message"] for message in failed} == {told}
            message = await answered(client, project, "openai/other")
            failure = message["failure"]
            assert (failure["code"], failure["retryable"]) == ("MODEL_UNAVAILABLE", True)
            assert f"openai has failed {FAILURES_TO_OPEN} times in a row and is tried again in" in failure["message"]
            added = await client.mutate(ADD_TEXT, projectId=project, title="Returns", text="Returned in 30 days.")
            model = stack.enter_context(running(OpenAIServer(lambda _: ["Up."]), port))
            # It lists its models again, and the circuit still waits.
            status, detail = await health(client, "openai")
            assert status == "DEGRADED"
            assert "has failed 5 times in a row" in (detail or "")
            happened = await client.follow(INGESTION, document=added["document"]["id"])
            assert happened[-1]["__typename"] == "IngestionCompleted"
            message = await answered(client, project, "openai/chat")
            assert (message["status"], message["content"]) == ("COMPLETED", "Up.")
            assert await health(client, "openai") == ("OK", None)
            assert len(model.chats) == 1


async def left(model: OpenAIServer, client: Client, answer: str) -> None:
    """Cancel an answer: the model's request is closed long before its time limit."""
    cancelling = asyncio.create_task(client.mutate(CANCEL, messageId=answer))
    assert await asyncio.to_thread(model.left.wait, 120)
    model.left.clear()
    assert (await cancelling)["answer"]["status"] == "CANCELLED"


async def test_slots_are_shared_in_turn_and_cancelling_frees_them_at_once(tmp_path: Path) -> None:
    def words(body: Body) -> tuple[str, ...]:
        return (body["messages"][-1]["content"], "!")

    with running(OpenAIServer(words, faults=[Break("stall", after=1)])) as model:
        one = settings(
            tmp_path / "footnote.db",
            openai=model.url,
            chat_model="openai/chat",
            model_requests_at_once=1,
            model_first_token_seconds=30,
            model_between_tokens_seconds=30,
        )
        with serve(one) as url:
            async with httpx.AsyncClient(timeout=120) as http:
                client = Client(http, url)
                busy, other = await client.project("Busy"), await client.project("Other")
                stalled = await sent(client, busy, "busy")
                await first_delta(client, stalled)
                waiting = [await sent(client, busy, "busy") for _ in range(4)]
                await until_waiting(client, 4)
                waiting.append(await sent(client, other, "other"))
                await until_waiting(client, 5)
                gone = await client.mutate(CANCEL, messageId=waiting.pop(0))
                assert gone["answer"] == {"status": "CANCELLED", "content": ""}
                assert len(model.chats) == 1
                await left(model, client, stalled)
                done = [(await client.follow(EVENTS, id=answer))[-1]["__typename"] for answer in waiting]
                assert done == ["AnswerCompleted"] * 4
                assert await health(client, "openai") == ("OK", None)
    assert [body["messages"][-1]["content"] for body in model.chats] == ["busy", "busy", "other", "busy", "busy"]
