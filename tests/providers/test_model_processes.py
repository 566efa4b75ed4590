"""Processes of models: slots, memory, cancelled answers, failures and ends, with real models."""

import os
import resource
import signal
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from tests import newest
from tests.answers import Start, final
from tests.forks.commands import FootnoteProcess
from tests.graphql.access.people import CANCEL
from tests.graphql.client import EVENTS, SEND, Client
from tests.looking import until
from tests.providers.local_models import begin_long_answer, open_session, wait_until_over
from tests.servers import gguf
from tests.serving import serve_in_process

Alone = Callable[..., tuple[FootnoteProcess, Client]]

pytestmark = pytest.mark.usefixtures("models")


@pytest.fixture(scope="module")
def models() -> None:
    gguf.require_models()


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncGenerator[Alone]:
    """Starts a server with a model that writes, in a process of its own."""
    newest.put(tmp_path / "footnote.db")
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        def start(**values: object) -> tuple[FootnoteProcess, Client]:
            settings = {name.upper(): str(value) for name, value in gguf.settings(**values).items()}
            environment = {**settings, "DATABASE_URL": f"sqlite:///{tmp_path}/footnote.db"}
            server, url = stack.enter_context(serve_in_process(environment))
            return server, Client(http, url)

        yield start


@pytest.mark.parametrize(
    ("ended_by", "told"),
    [
        (signal.SIGKILL, "was killed, perhaps because memory ran out"),
        (signal.SIGSEGV, f"crashed (signal {signal.SIGSEGV.value})"),
    ],
)
async def test_a_model_that_ends_fails_its_answer_and_is_started_again(
    start: Start, ended_by: signal.Signals, told: str
) -> None:
    client = start(**gguf.settings(max_tokens=1000))
    session = await open_session(client)
    answer = await begin_long_answer(client, session)
    (child,) = gguf.children(os.getpid())
    os.kill(child, ended_by)
    last = (await client.follow(EVENTS, id=answer))[-1]
    assert last["__typename"] == "AnswerFailed"
    assert last["failure"] == {
        "code": "MODEL_INCOMPLETE",
        "message": f"llamacpp/{gguf.WRITER} {told}; the next request starts it again.",
        "retryable": True,
    }
    assert last["message"]["content"]
    again = await final(client, await open_session(client, maxTokens=3), "Say hello.")
    assert again["status"] == "COMPLETED"
    assert gguf.children(os.getpid()) != [child]


@pytest.mark.parametrize("begun", [True, False], ids=["in an answer", "before it"])
async def test_a_model_that_hangs_is_ended_and_started_again(start: Start, begun: bool) -> None:
    limits = {
        "model_connect_seconds": 2,
        "model_between_tokens_seconds": 5,
        "model_first_token_seconds": 10,
        "model_whole_answer_seconds": 10,
    }
    client = start(**gguf.settings(max_tokens=1000), **limits)
    session = await open_session(client)
    answer = await begin_long_answer(client, session)
    (child,) = gguf.children(os.getpid())
    if not begun:
        await client.mutate(CANCEL, messageId=answer)
        await client.follow(EVENTS, id=answer)
    os.kill(child, signal.SIGSTOP)
    if not begun:
        answer = (await client.mutate(SEND, sessionId=session, content="Say hello."))["answer"]["id"]
    failure = (await client.follow(EVENTS, id=answer))[-1]["failure"]
    told = f"llamacpp/{gguf.WRITER} hung and was ended; the next request starts it again."
    assert (failure["code"], failure["message"]) == ("MODEL_TIMEOUT", told)
    assert not gguf.is_running(child)
    again = await final(client, await open_session(client, maxTokens=3), "Say hello.")
    assert again["status"] == "COMPLETED"


async def test_a_cancelled_answer_stops_the_model(start: Start) -> None:
    client = start(**gguf.settings(max_tokens=1500))
    session = await open_session(client)
    answer = await begin_long_answer(client, session)
    (child,) = gguf.children(os.getpid())
    await client.mutate(CANCEL, messageId=answer)
    before = gguf.cpu_seconds(child)
    # There is one slot: the next answer would wait for over 400 tokens, which take 10 seconds of processor time.
    after = await final(client, await open_session(client, maxTokens=3), "Say hello.")
    assert after["status"] == "COMPLETED"
    assert gguf.cpu_seconds(child) - before < 5


async def test_an_answer_that_is_cancelled_while_its_prompt_is_read_stops_the_model(start: Start) -> None:
    client = start(**gguf.settings())
    session = await open_session(client, maxTokens=3)
    await final(client, session, "Say hello.")
    (child,) = gguf.children(os.getpid())
    idle = gguf.cpu_seconds(child)
    # About 1,500 tokens, which take over 5 seconds of processor time.
    question = " ".join(f"word{number}" for number in range(400))
    answer = (await client.mutate(SEND, sessionId=session, content=question))["answer"]["id"]

    async def reading() -> bool:
        return gguf.cpu_seconds(child) > idle + 0.5

    await until(reading)
    await client.mutate(CANCEL, messageId=answer)
    before = gguf.cpu_seconds(child)
    after = await final(client, await open_session(client, maxTokens=3), "Say hello.")
    assert after["status"] == "COMPLETED"
    assert gguf.cpu_seconds(child) - before < 0.6


async def test_a_request_that_names_a_slot_takes_none_from_others(start: Start) -> None:
    client = start(**gguf.settings(llamacpp_slots=2))
    url = client.url.replace("/graphql", "/v1/chat/completions")
    body = {"messages": [{"role": "user", "content": "Tell a long story."}]}
    long = {**body, "max_tokens": 800, "stream": True, "id_slot": 1}
    async with client.http.stream("POST", url, json=long) as response:
        lines = response.aiter_lines()
        assert (await anext(lines)).startswith("data: ")
        (child,) = gguf.children(os.getpid())
        before = gguf.cpu_seconds(child)
        assert (await client.http.post(url, json={**body, "max_tokens": 3})).status_code == 200
        # The 800 tokens of the other answer take over ten seconds of processor time.
        assert gguf.cpu_seconds(child) - before < 4


async def test_a_session_keeps_what_the_model_has_read_of_it(start: Start) -> None:
    client = start(**gguf.settings(llamacpp_slots=2, max_tokens=3))
    shared = "You answer " + " ".join(f"politely, reason {number}," for number in range(20))
    long, other = [await open_session(client, systemPrompt=shared) for _ in "12"]
    await final(client, long, " ".join(f"word{number}" for number in range(130)))
    (child,) = gguf.children(os.getpid())
    to_read_all = gguf.cpu_seconds(child)
    # Most of it begins as the other session does, whose slot it must not take.
    await final(client, other, "Say hello.")
    before = gguf.cpu_seconds(child)
    again = await final(client, long, "Say hello.")
    assert again["usage"]["inputTokens"] > 400
    assert gguf.cpu_seconds(child) - before < to_read_all / 3


async def test_an_idle_model_gives_its_memory_back(start: Start) -> None:
    client = start(**gguf.settings(llamacpp_idle_seconds=0.05))
    session = await open_session(client)
    for _ in range(2):
        assert (await final(client, session, "Say hello."))["status"] == "COMPLETED"

        async def unloaded() -> bool:
            return not gguf.children(os.getpid())

        await until(unloaded)


async def test_a_model_that_was_loaded_for_nobody_gives_its_memory_back(start: Start) -> None:
    """Its answer was cancelled while it was being loaded, which takes longer than it may be idle."""
    client = start(**gguf.settings(llamacpp_idle_seconds=0.05))
    session = await open_session(client)
    answer = (await client.mutate(SEND, sessionId=session, content="Say hello."))["answer"]["id"]

    async def loading() -> bool:
        return bool(gguf.children(os.getpid()))

    async def unloaded() -> bool:
        return not gguf.children(os.getpid())

    await until(loading)
    await client.mutate(CANCEL, messageId=answer)
    await until(unloaded)


async def test_a_file_that_llamacpp_cannot_load_is_a_failure_with_its_reason(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "unknown.gguf"
    gguf.write_gguf(file, {"general.architecture": "novel", "novel.context_length": 2048})
    client = start(chat_model=f"llamacpp/{file}")
    session = await open_session(client)
    failures = [(await final(client, session, "Say hello."))["failure"] for _ in range(2)]
    assert failures[0]["code"] == "MODEL_UNAVAILABLE"
    reason = "unknown model architecture: 'novel'"
    assert failures[0]["message"] == f"llamacpp/{file} cannot be loaded: it stopped with exit code 1: {reason}."
    assert failures[1]["message"] == f"{failures[0]['message']} It has failed 2 times in a row."


async def test_a_model_larger_than_the_memory_is_not_loaded(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "large.gguf"
    sizes = {"context_length": 2048, "block_count": 4000, "embedding_length": 65536, "attention.head_count": 1}
    gguf.write_gguf(file, {"general.architecture": "llama", **{f"llama.{key}": size for key, size in sizes.items()}})
    client = start(chat_model=f"llamacpp/{file}", llamacpp_slots=2)
    message = await final(client, await open_session(client), "Say hello.")
    told = message["failure"]["message"]
    assert told.startswith(f"llamacpp/{file} needs about 4295.1 GB of memory with 2 windows of 2048 tokens, and "), told
    assert gguf.children(os.getpid()) == []


async def test_a_model_that_runs_out_of_memory_leaves_the_server_as_it_is(alone: Alone) -> None:
    server, client = alone(llamacpp_slots=64, max_tokens=5)
    session = await open_session(client)
    # Its children inherit a limit that leaves it room, and that 64 windows, of 23 kB a token, exceed.
    limit = gguf.virtual_bytes(server.pid) + 1_000_000_000
    resource.prlimit(server.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    failures = [(await final(client, session, "Say hello."))["failure"] for _ in range(2)]
    told = f"llamacpp/{gguf.WRITER} cannot be loaded: it ran out of memory."
    assert (failures[0]["code"], failures[0]["message"]) == ("MODEL_UNAVAILABLE", told)
    assert failures[1]["message"] == f"{told} It has failed 2 times in a row."
    other = await final(client, await open_session(client, model="embedded/extractive"), "Say hello.")
    assert other["status"] == "COMPLETED"


async def test_models_end_with_a_server_that_is_killed(alone: Alone) -> None:
    server, client = alone(max_tokens=1000)
    await begin_long_answer(client, await open_session(client))
    (child,) = gguf.children(server.pid)
    server.kill()
    await wait_until_over(child)
