"""Connections to model servers: what they make of any response of HTTP/1.1, and when they are used again."""

import asyncio
import json
import os
import ssl
import subprocess
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from app import errors
from app.observation.log_observer import LogObserver
from app.providers.base import Finished, Piece, TextDelta
from app.providers.ollama.provider import OllamaProvider
from app.providers.openai import wire
from app.providers.openai.provider import OpenAIProvider
from app.providers.openai.repeated_events import RepeatedEvents
from app.providers.registry import ModelRegistry
from app.providers.rerank import HttpReranker
from app.providers.resilience.retries import RetryPolicy
from app.providers.resilience.server_problems import ServerProblems
from app.statuses import FinishReason
from tests.forks.commands import run_footnote
from tests.servers.asking import OPTIONS, PROMPT, SECRET, closed_after, failure, pieces

Provide = Callable[..., OpenAIProvider]
DONE = Finished(FinishReason.STOP)
ONCE = RetryPolicy(max_retries=0)


def event(delta: object, finish: str | None = None, **more: object) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: %s\n\n" % json.dumps({"id": "1", "choices": [choice], **more}, ensure_ascii=False).encode()


EVENTS = event({"content": "Well"}) + event({"content": ", yes."}) + event({}, "stop") + b"data: [DONE]\n\n"
TYPE = b"Content-Type: text/event-stream\r\n"
OK = b"HTTP/1.1 200 OK\r\n" + TYPE
LENGTH = b"Content-Length: %d\r\n\r\n" % len(EVENTS)


def chunked(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


@dataclass
class RawServer:
    """Answers each request with these bytes, piece by piece, and closes the connection if `closes`.

    After the first piece, it waits for `goes_on`, which is usually set.
    """

    pieces: list[bytes]
    closes: bool = False
    port: int = 0
    connections: int = 0
    requests: list[bytes] = field(default_factory=list[bytes])
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests.append(head)
                length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                await reader.readexactly(int(length or 0))
                for piece in self.pieces:
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0)
                    await self.goes_on.wait()
                if self.closes:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(*pieces: bytes, closes: bool = False) -> AsyncGenerator[RawServer]:
    raw = RawServer(list(pieces), closes)
    raw.goes_on.set()
    async with await asyncio.start_server(raw.serve, "127.0.0.1", 0) as server:
        raw.port = server.sockets[0].getsockname()[1]
        yield raw


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    def make(raw: RawServer, *, host: str = "127.0.0.1", local: bool = True) -> OpenAIProvider:
        return OpenAIProvider("raw", f"http://{host}:{raw.port}/v1", SECRET, None, local=local, retries=ONCE)

    async with closed_after(make) as closing:
        yield closing


def joined(came: list[Piece]) -> tuple[str, list[Finished]]:
    text = "".join(piece.text for piece in came if isinstance(piece, TextDelta))
    return text, [piece for piece in came if isinstance(piece, Finished)]


@pytest.mark.parametrize(
    ("sent", "closes", "connections"),
    [
        ([OK + LENGTH + EVENTS], False, 1),
        ([OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(*EVENTS.split(b",")[:1]) + b"", b""], True, None),
        ([OK + b"Transfer-Encoding: chunked\r\n\r\n", chunked(EVENTS) + b"0\r\n\r\n"], False, 1),
        ([OK + b"Transfer-Encoding: chunked\r\n\r\n", chunked(EVENTS) + b"0\r\nX-Sum: 1\r\n\r\n"], False, 1),
        ([OK + LENGTH.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") + EVENTS], True, 2),
        ([OK + b"\r\n" + EVENTS], True, 2),
        ([b"HTTP/1.0 200 OK\r\n" + TYPE + b"\r\n" + EVENTS], True, 2),
        ([b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 \r\nLink: x\r\n\r\n" + OK + LENGTH, EVENTS], False, 1),
        ([OK + LENGTH + EVENTS + b"HTTP/1.1 500 Unasked\r\nContent-Length: 0\r\n\r\n"], False, 2),
        ([bytes([byte]) for byte in OK + LENGTH + EVENTS], False, 1),
    ],
    ids=["length", "cut", "chunked", "trailers", "close", "no length", "1.0", "continue", "unasked", "bytes"],
)
async def test_a_response_is_read_however_its_end_is_told(
    provide: Provide, sent: list[bytes], closes: bool, connections: int | None
) -> None:
    async with serving(*sent, closes=closes) as raw:
        model = provide(raw).language_model("chat")
        if connections is None:
            error, came = await failure(model)
            assert (type(error), joined(came)[0]) == (errors.ModelIncomplete, "")
            return
        for _ in range(2):
            assert joined(await pieces(model)) == ("Well, yes.", [DONE])
    assert raw.connections == connections


@pytest.mark.parametrize(
    "sent",
    [b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 200 OK\r\n" + b"X-Long: %s\r\n" % (b"x" * 2000) * 100, b"\0" * 100],
    ids=["another protocol", "endless head", "binary"],
)
async def test_what_is_no_response_is_not_read_without_end(provide: Provide, sent: bytes) -> None:
    async with serving(sent) as raw:
        error, came = await failure(provide(raw).language_model("chat"))
    assert (type(error), came) == (errors.ModelUnavailable, [])


async def test_a_host_is_asked_at_any_of_its_addresses(provide: Provide) -> None:
    async with serving(OK + LENGTH + EVENTS) as raw:  # not on ::1, which `localhost` may be as well
        assert joined(await pieces(provide(raw, host="localhost").language_model("chat"))) == ("Well, yes.", [DONE])


@pytest.fixture
def set_proxy(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Sets a variable of the environment, which has no other proxy in it."""
    names = [f"{name}_proxy" for name in ("http", "https", "all", "no")]
    for name in names:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return monkeypatch.setenv


@pytest.mark.parametrize(("name", "scheme"), [("HTTP_PROXY", "http://"), ("http_proxy", ""), ("ALL_PROXY", "http://")])
async def test_a_proxy_of_the_environment_is_asked_for_servers_elsewhere(
    provide: Provide, set_proxy: Callable[[str, str], None], name: str, scheme: str
) -> None:
    async with serving(OK + LENGTH + EVENTS) as proxy, serving(OK + LENGTH + EVENTS) as raw:
        set_proxy(name, f"{scheme}127.0.0.1:{proxy.port}")
        assert joined(await pieces(provide(raw, local=False).language_model("chat"))) == ("Well, yes.", [DONE])
        assert joined(await pieces(provide(raw, local=True).language_model("chat"))) == ("Well, yes.", [DONE])
    [asked] = proxy.requests
    assert asked.startswith(f"POST http://127.0.0.1:{raw.port}/v1/chat/completions HTTP/1.1\r\n".encode())
    assert len(raw.requests) == 1


async def test_what_nobody_read_of_an_answer_is_not_taken_for_the_next_one(provide: Provide) -> None:
    begin, end, rest = EVENTS.partition(b"\n\n")
    async with serving(OK + LENGTH + begin + end, rest) as raw:
        model = provide(raw).language_model("chat")
        left = model.stream_answer(PROMPT, OPTIONS)
        raw.goes_on.clear()
        assert await anext(left) == TextDelta("Well")
        raw.goes_on.set()
        for _ in range(2):  # meanwhile, all of the first answer arrives
            assert joined(await pieces(model)) == ("Well, yes.", [DONE])
        await left.aclose()
        for _ in range(2):
            assert joined(await pieces(model)) == ("Well, yes.", [DONE])
    assert raw.connections == 2


@pytest.mark.parametrize(("port", "asks_proxy"), [(0, False), (1, True)])
async def test_no_proxy_may_name_one_port_of_a_host(
    provide: Provide, set_proxy: Callable[[str, str], None], port: int, asks_proxy: bool
) -> None:
    async with serving(OK + LENGTH + EVENTS) as proxy, serving(OK + LENGTH + EVENTS) as raw:
        set_proxy("http_proxy", f"http://127.0.0.1:{proxy.port}")
        set_proxy("no_proxy", f"127.0.0.1:{raw.port + port}")
        assert joined(await pieces(provide(raw, local=False).language_model("chat"))) == ("Well, yes.", [DONE])
    assert [len(raw.requests), len(proxy.requests)] == ([0, 1] if asks_proxy else [1, 0])


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_proxy_that_cannot_be_used_is_named(set_proxy: Callable[[str, str], None], name: str) -> None:
    set_proxy(name, "socks5://user:secret@127.0.0.1:1080")
    with pytest.raises(errors.StartError) as caught:
        OpenAIProvider("elsewhere", "http://example.org/v1", SECRET)
    assert caught.value.message == (
        f"{name} names a proxy that speaks socks5; Footnote can use proxies that speak http or https, such as "
        "http://proxy.example.org:3128."
    )


def _list_projects(folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Start the services, without calling a model server."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/footnote.db", **more}
    run_footnote("migrate", environment=environment)
    return run_footnote("projects", environment=environment)


@pytest.mark.parametrize("name", ["OLLAMA_HOST", "RERANK_URL", "OPENAI_BASE_URL"])
def test_a_start_with_a_proxy_that_cannot_be_used_names_it(
    set_proxy: Callable[[str, str], None], tmp_path: Path, name: str
) -> None:
    set_proxy("ALL_PROXY", "socks5://user:secret@127.0.0.1:1080")
    done = _list_projects(tmp_path, **{name: "http://example.org"})
    assert done.returncode == 2
    assert done.stderr == (
        "footnote: ALL_PROXY names a proxy that speaks socks5; Footnote can use proxies that speak http or https, such "
        "as http://proxy.example.org:3128.\n"
    )


def test_a_proxy_does_not_matter_to_servers_on_this_machine(
    set_proxy: Callable[[str, str], None], tmp_path: Path
) -> None:
    set_proxy("ALL_PROXY", "socks5://127.0.0.1:1080")
    url = "http://127.0.0.1:1"
    done = _list_projects(tmp_path, OLLAMA_HOST=url, RERANK_URL=url, OPENAI_BASE_URL=url)
    assert done.returncode == 0, done.stderr


STREAMS = {
    "plain": [event({"content": text}) for text in ("The", " bicycle", " costs", " ten", " euros.")],
    "escapes": [event({"content": text}) for text in ("a", "b\n", 'say "no"', "back\\slash", "c", "", "d")],
    "unicode": [event({"content": text}) for text in ("né", "ко", "你好", "🚲", "e\u0301", "\u200b", "x")],
    "reasoning": [event({"content": "a"}), event({"reasoning_content": "hm"}), event({"content": "b"})],
    "both": [event({"content": f"{n}", "reasoning_content": "hm"}) for n in range(3)],
    "role": [event({"role": "assistant", "content": text}) for text in ("assistant", "content", "x", "assistant")],
    "padding": [event({"content": f"{n} "}, obfuscation="x" * n) for n in range(200)],
    "usage": [event({"content": f"{n}"}, usage={"prompt_tokens": 1, "completion_tokens": 7}) for n in range(3)],
}


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("size", [1, 7, 100, 100_000])
async def test_texts_are_the_same_whatever_their_events_share(provide: Provide, name: str, size: int) -> None:
    values = [json.loads(part) for part in b"".join(STREAMS[name])[6:-2].split(b"\n\ndata: ")]
    deltas = [value["choices"][0]["delta"] for value in values]
    sent = b"".join(STREAMS[name]) + event({}, "stop") + b"data: [DONE]\n\n"
    parts = [chunked(sent[start : start + size]) for start in range(0, len(sent), size)]
    async with serving(OK + b"Transfer-Encoding: chunked\r\n\r\n", *parts, b"0\r\n\r\n") as raw:
        came = await pieces(provide(raw).language_model("chat"))
    text, [finished] = joined(came)
    assert text == "".join(delta.get("content", "") for delta in deltas)
    thoughts = "".join(piece.text for piece in came if not isinstance(piece, TextDelta | Finished))
    assert thoughts == "".join(delta.get("reasoning_content", "") for delta in deltas)
    assert (finished.input_tokens, finished.output_tokens) == ((1, 7) if name == "usage" else (None, None))


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("together", [1, 2, 3])
def test_events_that_are_joined_have_the_same_text_as_events_that_are_parsed(name: str, together: int) -> None:
    repeated, joins = RepeatedEvents(), 0
    for start in range(0, len(STREAMS[name]), together):
        events = STREAMS[name][start : start + together]
        values = [json.loads(sent[6:-2]) for sent in events]
        if (joined := repeated.join_events(b"".join(events))) is not None:
            joins += 1
            assert wire.read_chunks([joined]) == wire.read_chunks(values)
            assert wire.find_usage(values) is None
            assert not any(map(wire.find_finish_reason, values))
        repeated.learn(events[-1][6:-2], values[-1])
    assert (joins > 0) == (name in {"plain", "escapes", "unicode", "role", "reasoning"}) or together > 1


async def test_rerankers_on_this_machine_read_the_certificate_authorities_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of a model file has a client for each question."""
    read: list[ssl.SSLContext] = []
    create = ssl.create_default_context

    def count(*, cafile: str) -> ssl.SSLContext:
        read.append(create(cafile=cafile))
        return read[-1]

    monkeypatch.setattr(ssl, "create_default_context", count)
    for _ in range(3):
        await HttpReranker("http://127.0.0.1:1", None, None, seconds=1).close()
    assert len(read) <= 1


class Closing(OllamaProvider):
    """A provider that is closed, and may fail to be."""

    def __init__(self, name: str, error: Exception | None = None) -> None:
        super().__init__("http://127.0.0.1:9")
        self.name = name
        self.error = error
        self.closed = False

    async def close(self) -> None:
        await super().close()
        self.closed = True
        if self.error is not None:
            raise self.error


async def test_one_that_cannot_be_closed_keeps_no_other_open(caplog: pytest.LogCaptureFixture) -> None:
    providers = [Closing("first", OSError("no reply")), Closing("second"), Closing("third", ValueError("odd"))]
    await ModelRegistry(providers, (), {}, LogObserver(), ServerProblems()).close()
    assert [each.closed for each in providers] == [True] * 3
    assert caplog.messages == ["first was not closed: OSError('no reply')", "third was not closed: ValueError('odd')"]
