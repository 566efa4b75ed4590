"""The OpenAI provider's chat models against a loopback server: requests and responses."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping

import pytest

from app import errors
from app.providers.base import (
    Finished,
    GenerationOptions,
    LanguageModel,
    Piece,
    Prompt,
    PromptMessage,
    Provider,
    ReasoningDelta,
    TextDelta,
    TimeLimits,
)
from app.providers.openai.provider import OpenAIProvider
from app.providers.openai.sse import EventStreamParser
from app.statuses import FinishReason
from tests.servers import openai
from tests.servers.asking import AT_ONCE, OPTIONS, PROMPT, SECRET, closed_after, failure, pieces
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break, Fault, Page, Refusal, Thought, running

Provide = Callable[..., OpenAIProvider]


def make(server: OpenAIServer | str, limits: TimeLimits | None = None, key: str | None = SECRET) -> OpenAIProvider:
    url = server if isinstance(server, str) else server.url
    return OpenAIProvider("stand-in", url, key, limits, local=True, retries=AT_ONCE)


CONVERSATION = Prompt(
    (
        PromptMessage("system", "Be brief."),
        PromptMessage("developer", "Cite."),
        PromptMessage("user", "Hi"),
        PromptMessage("assistant", "Hello"),
        PromptMessage("user", "Why?"),
    ),
    question="Why?",
)


def joined(came: list[Piece]) -> list[Piece]:
    """Join adjacent pieces: how they are split depends on the network."""
    found: list[Piece] = []
    for piece in came:
        last = found[-1] if found else None
        if isinstance(piece, TextDelta) and isinstance(last, TextDelta):
            found[-1] = TextDelta(last.text + piece.text)
        else:
            found.append(piece)
    return found


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


async def test_an_answer_streams_and_the_request_is_complete(provide: Provide) -> None:
    with running(OpenAIServer(lambda body: [Thought("Hm."), "Blue", " light\x85", " scatters."], key=SECRET)) as server:
        model: LanguageModel = provide(server).language_model("chat")
        came = joined(await pieces(model, CONVERSATION))
    assert came == [ReasoningDelta("Hm."), TextDelta("Blue light\x85 scatters."), Finished(FinishReason.STOP, 6, 4)]
    assert model.name == "stand-in/chat"
    assert server.chats == [
        {
            "model": "chat",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "system", "content": "Cite."},
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Hello"},
                {"role": "user", "content": "Why?"},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 100,
            "temperature": 0.4,
        }
    ]


async def test_without_a_limit_none_is_sent(provide: Provide) -> None:
    with running(OpenAIServer()) as server:
        await pieces(provide(server).language_model("chat"), options=GenerationOptions(None, 0.0, 8192))
    assert "max_tokens" not in server.chats[0]
    assert server.chats[0]["temperature"] == 0.0


async def test_only_openai_gets_its_own_parameters_and_the_users_organization(
    provide: Provide, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-the-user")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with running(OpenAIServer()) as server:
        await pieces(provide(server, key=None).language_model("gpt-5-mini"))
    assert server.chats[0]["max_tokens"] == 100
    assert "openai-organization" not in server.requests[0].headers
    assert SECRET not in server.requests[0].headers["authorization"]


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.FILTER),
        ("end_turn", FinishReason.STOP),
        ("tool_calls", FinishReason.STOP),
        ("model_length", FinishReason.LENGTH),
        ("model_context_window_exceeded", FinishReason.LENGTH),
        ("time_limit", FinishReason.LENGTH),
        ("MAX_TOKENS", FinishReason.LENGTH),
        ("sensitive", FinishReason.FILTER),
    ],
)
async def test_finish_reasons(provide: Provide, finish: str, reason: FinishReason) -> None:
    with running(OpenAIServer(lambda body: ["x"], finish=finish)) as server:
        assert (await pieces(provide(server).language_model("chat")))[-1] == Finished(reason, 8, 1)


REFUSED: list[tuple[dict[str, str], set[str]]] = [
    ({"stream_options": "Unrecognized request argument supplied: stream_options"}, {"stream_options"}),
    ({"temperature": "Unsupported value: 'temperature' does not support 0.4 with this model."}, {"temperature"}),
    ({"temperature": "`temperature` is deprecated for this model."}, {"temperature"}),
    ({"temperature": "invalid temperature: only 1 is allowed for this model"}, {"temperature"}),
    ({"max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}, {"max_tokens"}),
]


@pytest.mark.parametrize(("refuses", "gone"), REFUSED)
async def test_a_parameter_that_the_server_refuses_is_left_out(
    provide: Provide, refuses: Mapping[str, str], gone: set[str]
) -> None:
    with running(OpenAIServer(lambda body: ["x"], refuses=refuses)) as server:
        came = await pieces(provide(server).language_model("chat"))
    assert came[0] == TextDelta("x")
    first, second = server.chats
    assert first.keys() - second.keys() == gone
    assert second.get("max_completion_tokens", 100) == 100


async def test_a_temperature_that_is_out_of_range_is_an_error(provide: Provide) -> None:
    with running(OpenAIServer(refuses={"temperature": "temperature: must be between 0 and 1"})) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert type(error) is errors.ModelRefused
    assert len(server.chats) == 1


@pytest.mark.parametrize(("refuses", "requests"), [(REFUSED[0][0], 3), (REFUSED[1][0], 4), (REFUSED[4][0], 3)])
async def test_a_refused_parameter_is_remembered_for_an_hour(refuses: Mapping[str, str], requests: int) -> None:
    """But not a temperature: another one may be accepted."""
    now = 0.0
    with running(OpenAIServer(lambda body: ["x"], refuses=refuses)) as server:
        provider = OpenAIProvider("stand-in", server.url, SECRET, None, local=True, retries=AT_ONCE, clock=lambda: now)
        model = provider.language_model("chat")
        await pieces(model)
        now = 3599.0
        await pieces(model)
        assert len(server.chats) == requests
        now = 3601.0
        await pieces(model)
        await provider.close()
    assert len(server.chats) == requests + 2


async def test_a_limit_that_is_refused_under_both_names_is_an_error(provide: Provide) -> None:
    """The error is about the name that was sent first: the other one may be unknown to the server."""
    refuses = {
        "max_tokens": "max_tokens is too large, as max_completion_tokens would be.",
        "max_completion_tokens": "Unknown parameter: max_completion_tokens.",
    }
    with running(OpenAIServer(refuses=refuses)) as server, pytest.raises(errors.ModelRefused, match="too large"):
        await pieces(provide(server).language_model("chat"))
    assert ["max_tokens" in sent for sent in server.chats] == [True, False, True]


async def test_an_address_may_contain_user_and_password(provide: Provide) -> None:
    with running(OpenAIServer(lambda body: ["x"])) as server:
        model = provide(server.url.replace("://", "://kim:horse@")).language_model("chat")
        assert joined(await pieces(model))[0] == TextDelta("x")


async def test_a_slow_stream_is_read_byte_by_byte(provide: Provide) -> None:
    with running(OpenAIServer(lambda body: ["Bläu", "lich"], byte_by_byte=True)) as server:
        came = await pieces(provide(server).language_model("chat"))
    assert joined(came) == [TextDelta("Bläulich"), Finished(FinishReason.STOP, 8, 2)]


async def test_closing_the_stream_closes_the_request(provide: Provide) -> None:
    with running(OpenAIServer(faults=[Break("stall", 1)])) as server:
        stream = provide(server).language_model("chat").stream_answer(PROMPT, OPTIONS)
        assert await anext(stream) == TextDelta("You")
        await stream.aclose()
        assert await asyncio.to_thread(server.left.wait, 120)


async def test_cancelling_the_caller_closes_the_request(provide: Provide) -> None:
    with running(OpenAIServer(faults=[Break("stall", 1)])) as server:
        stream = provide(server).language_model("chat").stream_answer(PROMPT, OPTIONS)
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.wait([waiting], timeout=0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await asyncio.to_thread(server.left.wait, 120)


async def test_parallel_answers_share_nothing(provide: Provide) -> None:
    with running(OpenAIServer(lambda body: [body["model"], " ", str(body["max_tokens"])] * 20)) as server:
        house = provide(server)
        answers = await asyncio.gather(
            *(pieces(house.language_model(f"m{n}"), options=GenerationOptions(n, 0.1, 8192)) for n in range(1, 21))
        )
    for number, answer in enumerate(answers, 1):
        text = "".join(piece.text for piece in answer if isinstance(piece, TextDelta))
        assert text == f"m{number} {number}" * 20


LLAMACPP = {"id": "models/tiny.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 1024, "n_ctx_train": 4096}}


@pytest.mark.parametrize(
    ("models", "model", "window"),
    [
        ([LLAMACPP], "models/tiny.gguf", 1024),
        ([LLAMACPP], "any-name", 1024),
        ([{"id": "tiny", "max_model_len": 2048}], "tiny", 2048),
        ([{"id": "a/b", "context_length": 9000, "top_provider": {"context_length": 7000}}], "a/b", 7000),
        ([{"id": "lm", "max_context_length": 32_768, "loaded_context_length": 4096}], "lm", 4096),
        ([{"id": "lm", "max_context_length": 32_768}], "lm", 32_768),
        ([{"id": "gpt-4o"}], "gpt-4o", 128_000),
        ([{"id": "gpt-4o", "context_length": "many"}, {"id": None}], "gpt-4o", 128_000),
        ([{"id": "other", "max_model_len": 1000}], "mistral", 32_768),
        ([], "unheard-of", 8192),
    ],
)
async def test_the_window_is_what_the_server_says(
    provide: Provide, models: list[Mapping[str, object]], model: str, window: int
) -> None:
    with running(OpenAIServer(models=models)) as server:
        assert await provide(server).language_model(model).context_window() == window


@pytest.mark.parametrize(
    "fault", [Refusal(404), Refusal(500), Page(), Refusal(200, ["x"]), Refusal(200, {"data": 1}), Break("stall")]
)
async def test_without_a_list_the_catalog_knows_the_window(provide: Provide, fault: Fault) -> None:
    with running(OpenAIServer(model_list=fault)) as server:
        house = provide(server, TimeLimits(connect=0.3))
        assert await house.language_model("gpt-4o").context_window() == 128_000
        with pytest.raises(errors.AnswerError):
            await house.list_models()


async def test_the_list_is_asked_for_once_a_minute(provide: Provide) -> None:
    with running(OpenAIServer(models=[LLAMACPP])) as server:
        house = provide(server)
        windows = await asyncio.gather(*(house.language_model("x").context_window() for _ in range(5)))
    assert windows == [1024] * 5
    assert len(server.bodies(openai.MODELS)) == 1


async def test_a_server_that_fails_to_list_its_models_again_keeps_its_windows() -> None:
    """The catalog has a window of 128,000 tokens for this model, of which the server has loaded 4,096."""
    time = 0.0
    server = OpenAIServer(models=[{"id": "gpt-4o", "loaded_context_length": 4096}])
    async with closed_after(OpenAIProvider) as make:
        with running(server):
            house = make("stand-in", server.url, SECRET, local=True, clock=lambda: time)
            windows = [await house.language_model("gpt-4o").context_window()]
            server.model_list = Refusal(503)
            time = 61.0
            windows.append(await house.language_model("gpt-4o").context_window())
            server.model_list, server.models = None, [{"id": "gpt-4o", "loaded_context_length": 8192}]
            time = 67.0
            windows.append(await house.language_model("gpt-4o").context_window())
    assert windows == [4096, 4096, 8192]


async def test_models_are_listed_by_what_they_are_for(provide: Provide) -> None:
    names = ["gpt-4o", "text-embedding-3-small", "whisper-1"]
    with running(OpenAIServer(models=[{"id": name} for name in names])) as server:
        house: Provider = provide(server)
        listed = await house.list_models()
        await house.close()
    assert [(m.name, m.kind, m.context_window, m.dimensions) for m in listed] == [
        ("gpt-4o", "CHAT", 128_000, None),
        ("text-embedding-3-small", "EMBEDDING", None, 1536),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_events_are_the_same_however_their_bytes_are_cut(end: str) -> None:
    usual = ["data: {0}", "", "data: {0}", ""]
    odd = [": hello", "data: {1}", "", "event: x", "data:{2", "data: }", "", "", "data: {3}", ""]
    stream = end.join([*usual, *odd, *usual, ""])
    data = stream.encode()
    for first in range(len(data) + 1):
        for second in range(first, len(data) + 1):
            lines = EventStreamParser()
            pieces = (data[:first], data[first:second], data[second:], b"\n")
            assert [event for piece in pieces for event in lines.feed(piece)] == [
                *[b"{0}"] * 2,
                b"{1}",
                b"{2\n}",
                b"{3}",
                *[b"{0}"] * 2,
            ]
