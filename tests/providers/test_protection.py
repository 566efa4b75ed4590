"""Guarded models: which faults open the circuit breaker, and what an open one does to each kind of call."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from itertools import repeat

import pytest

from app import errors
from app.concurrency import ConcurrencyLimiter
from app.providers.base import PromptMessage, Purpose, TimeLimits
from app.providers.openai.provider import OpenAIProvider
from app.providers.resilience.circuit_breaker import FAILURES_TO_OPEN
from app.providers.resilience.guarded_models import ProtectedEmbeddingModel, ProtectedLanguageModel, ProviderProtection
from app.providers.resilience.provider_circuits import ProviderCircuits
from tests.faults import CASES, TIMEOUT, Case
from tests.servers.asking import AT_ONCE, OPTIONS, PROMPT, closed_after
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, Fault, Refusal, running

Provide = Callable[..., OpenAIProvider]
REQUEST = {"messages": [{"role": "user", "content": "?"}], "stream": True}
MESSAGES = [PromptMessage("user", "How long is this?")]


def make(server: OpenAIServer, patience: float = 30) -> OpenAIProvider:
    return OpenAIProvider("stand-in", server.url, None, TimeLimits(30, patience, patience), local=True, retries=AT_ONCE)


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


def guarded(at_once: int = 10) -> ProviderProtection:
    gate, counting = (ConcurrencyLimiter("stand-in", at_once, 5) for _ in range(2))
    return ProviderProtection(ProviderCircuits("stand-in"), gate, counting)


async def failure(pieces: AsyncGenerator[object]) -> errors.AnswerError | None:
    """Read a stream to its end, freeing its slot, and return its error."""
    try:
        async with aclosing(pieces):
            async for _ in pieces:
                pass
    except errors.AnswerError as error:
        return error
    return None


async def test_only_a_server_that_is_down_opens_the_circuit(provide: Provide) -> None:
    async def opens(case: Case) -> bool:
        guard, provider = guarded(), hasty if case.failure == TIMEOUT else patient
        model = ProtectedLanguageModel(provider.language_model(case.name), guard)
        await asyncio.gather(*(failure(model.stream_answer(PROMPT, OPTIONS)) for _ in range(FAILURES_TO_OPEN)))
        return guard.circuits.find_problem() is not None

    with running(OpenAIServer(lambda _: ["a", "b", "c"])) as server:
        server.scripts = {case.name: repeat(case.faults[-1]) for case in CASES}
        patient, hasty = provide(server), provide(server, 0.5)
        found = {case.name: await opens(case) for case in CASES}
    assert found == {case.name: case.down for case in CASES}


COUNTS = {"id": "chat", "owned_by": "llamacpp"}


async def test_an_open_circuit_blocks_every_call(provide: Provide) -> None:
    with running(OpenAIServer(models=[COUNTS], faults=repeat(Refusal(503)))) as server:
        guard, provider = guarded(), provide(server)
        chat = ProtectedLanguageModel(provider.language_model("chat"), guard)
        vectors = ProtectedEmbeddingModel(provider.embedding_model("embed"), guard)
        purposes: tuple[Purpose, ...] = ("query", "document")
        for number in range(FAILURES_TO_OPEN):
            assert await failure(chat.relay_request(REQUEST, ("", ""))) is not None
            with pytest.raises(errors.ModelUnavailable, match="cannot answer now"):
                await vectors.embed_texts(["text"], purposes[number % 2])
        asked = len(server.requests)
        for error in (
            await failure(chat.relay_request(REQUEST, ("", ""))),
            await failure(chat.stream_answer(PROMPT, OPTIONS)),
        ):
            assert isinstance(error, errors.ModelUnavailable)
            assert "is tried again in" in error.message
            assert error.retry_after
        for purpose in purposes:
            with pytest.raises(errors.ModelUnavailable, match="is tried again in"):
                await vectors.embed_texts(["text"], purpose)
        with pytest.raises(errors.ModelUnavailable, match="is tried again in"):
            await vectors.dimensions()
        assert await chat.count_tokens(MESSAGES) is None
        assert len(server.requests) == asked


class Router(OpenAIServer):
    """Answers with this status for a model that is dead."""

    status = 502

    def fault(self, body: Body) -> Fault:
        told = {"error": {"message": f"model {body['model']} failed to start"}}
        return Refusal(self.status, told) if body["model"] == "dead" else None


@pytest.mark.parametrize("status", [502, 503, 504])
async def test_a_dead_model_behind_a_router_leaves_the_others_alone(provide: Provide, status: int) -> None:
    with running(Router(lambda _: ["a", "b"])) as router:
        router.status = status
        guard, provider = guarded(), provide(router)
        dead = ProtectedLanguageModel(provider.language_model("dead"), guard)
        for _ in range(FAILURES_TO_OPEN):
            error = await failure(dead.stream_answer(PROMPT, OPTIONS))
            assert error is not None
            assert "model dead failed to start" in error.message
        error = await failure(dead.stream_answer(PROMPT, OPTIONS))
        assert error is not None
        assert error.message.startswith(f"{dead.name} has failed {FAILURES_TO_OPEN} times in a row and is tried again")
        assert guard.circuits.find_problem() is not None, "health tells it"
        for _ in range(2):
            other = ProtectedLanguageModel(provider.language_model("chat"), guard)
            assert await failure(other.stream_answer(PROMPT, OPTIONS)) is None
        assert (
            await ProtectedEmbeddingModel(provider.embedding_model("embed"), guard).embed_texts(["?"], "query")
        ).any()


async def test_a_successful_embedding_resets_the_failure_count(provide: Provide) -> None:
    faults = [*[Refusal(503)] * 3 * (FAILURES_TO_OPEN - 1), None, *[Refusal(503)] * 3 * (FAILURES_TO_OPEN - 1)]
    with running(OpenAIServer(faults=faults)) as server:
        guard = guarded()
        vectors = ProtectedEmbeddingModel(provide(server).embedding_model("embed"), guard)
        for _ in range(2):
            for _ in range(FAILURES_TO_OPEN - 1):
                with pytest.raises(errors.ModelUnavailable, match="cannot answer now"):
                    await vectors.embed_texts(["text"], "query")
            assert guard.circuits.find_problem() is None
            assert (await vectors.embed_texts(["text"], "query")).shape == (1, 16)


async def test_an_abandoned_stream_frees_its_slot(provide: Provide) -> None:
    with running(OpenAIServer(lambda _: ["a", "b"])) as server:
        guard = guarded(at_once=1)
        chat = ProtectedLanguageModel(provide(server).language_model("chat"), guard)
        for stream in (chat.stream_answer(PROMPT, OPTIONS), chat.relay_request(REQUEST, ("", ""))):
            await anext(stream)
            waiting = asyncio.create_task(failure(chat.stream_answer(PROMPT, OPTIONS)))
            for _ in range(3):  # it has come to the gate
                await asyncio.sleep(0)
            assert guard.request_limiter.waiting_count == 1
            await stream.aclose()
            async with asyncio.timeout(120):
                assert await waiting is None
