"""The Ollama provider against a loopback server that truncates as Ollama does: requests and responses."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable
from typing import Literal

import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from app import errors
from app.providers.base import (
    Finished,
    GenerationOptions,
    LanguageModel,
    Prompt,
    PromptMessage,
    ReasoningDelta,
    TextDelta,
    TimeLimits,
)
from app.providers.ollama.provider import OllamaProvider
from app.statuses import FinishReason
from tests.servers import ollama
from tests.servers.asking import AT_ONCE, OPTIONS, PROMPT, closed_after, failure, pieces
from tests.servers.ollama import OllamaServer
from tests.servers.ports import closed_port
from tests.servers.running import Break, Fault, How, Page, Refusal, Thought, break_off, resetting, running

Provide = Callable[..., OllamaProvider]


def make(server: OllamaServer | str, limits: TimeLimits | None = None, num_ctx: int = 8192) -> OllamaProvider:
    return OllamaProvider(server if isinstance(server, str) else server.url, num_ctx, limits, AT_ONCE)


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


async def test_an_answer_streams_and_the_request_is_complete(provide: Provide) -> None:
    with running(OllamaServer(lambda body: ["Blue", " light\x85", " scatters."])) as server:
        model: LanguageModel = provide(server).language_model("tiny")
        came = await pieces(model)
    assert came == [
        TextDelta("Blue"),
        TextDelta(" light\x85"),
        TextDelta(" scatters."),
        Finished(FinishReason.STOP, ollama.tokens(server.seen[0]), 3),
    ]
    assert model.name == "ollama/tiny"
    assert server.chats == [
        {
            "model": "tiny",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "system", "content": "Cite."},
                {"role": "user", "content": "Why is the sky blue?"},
            ],
            "stream": True,
            "options": {"num_ctx": 8192, "num_predict": 100, "temperature": 0.4},
            "truncate": False,
            "shift": False,
        }
    ]


async def test_without_a_limit_none_is_sent(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        await pieces(provide(server).language_model("tiny"), options=GenerationOptions(None, 0.0, 8192))
    assert server.chats[0]["options"] == {"num_ctx": 8192, "temperature": 0.0}


async def test_reasoning_is_kept_apart_and_requested_only_where_supported(provide: Provide) -> None:
    with running(OllamaServer(lambda body: [Thought("Hm."), "Blue"])) as server:
        house = provide(server)
        assert (await pieces(house.language_model("thinking")))[:2] == [ReasoningDelta("Hm."), TextDelta("Blue")]
        await pieces(house.language_model("tiny"))
    assert [body.get("think") for body in server.chats] == [True, None]


async def test_a_truncated_answer_is_reported(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        came = await pieces(provide(server).language_model("tiny"), options=GenerationOptions(2, 0.4, 8192))
    assert came[:-1] == [TextDelta("You"), TextDelta(" said:")]
    assert came[-1] == Finished(FinishReason.LENGTH, ollama.tokens(server.seen[0]), 2)


@pytest.mark.parametrize(
    ("model", "num_ctx", "window"),
    [("tiny", 8192, 8192), ("tiny", 4000, 4000), ("small", 8192, 2048), ("baked", 16_384, 16_384)],
)
async def test_the_smaller_of_two_windows_is_sent(provide: Provide, model: str, num_ctx: int, window: int) -> None:
    with running(OllamaServer()) as server:
        chat = provide(server, num_ctx=num_ctx).language_model(model)
        assert await chat.context_window() == window
        for tokens in (10, 500, None):
            await pieces(chat, options=GenerationOptions(tokens, 0.4, window))
    assert [body["options"]["num_ctx"] for body in server.chats] == [window] * 3
    # Another window would have loaded the model again.
    assert server.loads == [(model, window)]


async def test_the_window_comes_from_the_catalog_when_the_server_is_silent(provide: Provide) -> None:
    house = provide(f"http://127.0.0.1:{closed_port()}")
    assert await house.language_model("llama2").context_window() == 4096
    assert await house.language_model("llama3.2:3b").context_window() == 8192


@pytest.mark.parametrize("model", ["tiny", "thinking"])
async def test_a_long_prompt_within_the_window_arrives_whole(provide: Provide, model: str) -> None:
    # Ollama's own default of 4096 would have dropped the first message without a word.
    text = "word " * 2900
    prompt = Prompt((PromptMessage("user", text), PromptMessage("assistant", "Yes."), PromptMessage("user", text)), "")
    with running(OllamaServer()) as server:
        came = await pieces(provide(server).language_model(model), prompt)
    assert len(server.seen[0]) == 3
    assert isinstance(came[-1], Finished)
    assert came[-1].input_tokens == ollama.tokens(server.chats[0]["messages"]) > 4096


@pytest.mark.parametrize("model", ["tiny", "thinking"])
async def test_a_prompt_that_is_too_long_is_an_error_not_a_shorter_prompt(provide: Provide, model: str) -> None:
    prompt = Prompt((PromptMessage("user", "first " * 5000), PromptMessage("user", "last " * 5000)), "")
    with running(OllamaServer()) as server:
        error, came = await failure(provide(server).language_model(model), prompt)
    assert type(error) is errors.ContextTooLong
    assert error.message == f"The input is too long for {model} at ollama."
    assert (came, server.seen, len(server.chats)) == ([], [], 1)


async def test_missing_models_and_models_that_cannot_chat(provide: Provide) -> None:
    with running(OllamaServer()) as server:
        house = provide(server)
        missing, _ = await failure(house.language_model("nope"))
        embedder, _ = await failure(house.language_model("minilm"))
    assert type(missing) is errors.ModelNotFound
    assert missing.message == "There is no nope at ollama."
    assert type(embedder) is errors.ModelRefused
    assert "does not support chat" in embedder.message


@pytest.mark.parametrize("fault", [Refusal(503, {"error": "server busy, please try again."}), Refusal(500), Page()])
async def test_transient_errors_are_tried_three_times(provide: Provide, fault: Fault) -> None:
    with running(OllamaServer(lambda body: ["x"], faults=[fault, fault])) as server:
        assert (await pieces(provide(server).language_model("tiny")))[0] == TextDelta("x")
    assert len(server.chats) == 3
    with running(OllamaServer(faults=itertools.repeat(fault))) as server:
        error, _ = await failure(provide(server).language_model("tiny"))
    assert isinstance(error, errors.ModelUnavailable)
    assert len(server.chats) == 3


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Refusal(401), errors.ModelUnauthorized),
        (Refusal(429, {"error": "usage limit"}, {"Retry-After": "90"}), errors.ModelRateLimited),
        (Refusal(400, {"error": "the prompt is longer than the context length"}), errors.ContextTooLong),
        (Refusal(400, {"error": 'option "num_ctx" must be of type integer'}), errors.ModelRefused),
    ],
)
async def test_permanent_errors_are_not_retried(
    provide: Provide, fault: Refusal, kind: type[errors.AnswerError]
) -> None:
    with running(OllamaServer(faults=itertools.repeat(fault))) as server:
        error, _ = await failure(provide(server).language_model("tiny"))
    assert type(error) is kind
    assert len(server.chats) == 1


@pytest.mark.parametrize("how", ["end", "die", "half"])
@pytest.mark.parametrize("after", [0, 1])
async def test_a_stream_without_done_is_incomplete(
    provide: Provide, how: Literal["end", "die", "half"], after: int
) -> None:
    with running(OllamaServer(lambda body: ["Blue", " light"], faults=[Break(how, after)])) as server:
        error, came = await failure(provide(server).language_model("tiny"))
    assert type(error) is errors.ModelIncomplete
    assert came == [TextDelta("Blue")][:after]
    assert len(server.chats) == 1


async def test_done_because_the_model_was_unloaded_is_not_an_answer(provide: Provide) -> None:
    with running(OllamaServer(lambda body: [], done_reason="unload")) as server:
        error, _ = await failure(provide(server).language_model("tiny"))
    assert type(error) is errors.ModelIncomplete


async def test_an_error_within_the_stream_is_an_error_and_is_not_retried(provide: Provide) -> None:
    with running(OllamaServer(faults=[Break("error")])) as server:
        error, came = await failure(provide(server).language_model("tiny"))
    assert type(error) is errors.ModelFailed
    assert "unexpected EOF" in error.message
    assert came == [TextDelta("You")]
    assert len(server.chats) == 1


async def test_a_missing_server_and_one_that_hangs_up_are_unavailable(provide: Provide) -> None:
    error, _ = await failure(provide(f"http://127.0.0.1:{closed_port()}").language_model("tiny"))
    assert type(error) is errors.ModelUnreachable
    assert error.message == "tiny at ollama cannot be reached: the connection was refused."
    with resetting() as (url, _connections):
        error, _ = await failure(provide(url).language_model("tiny"))
    assert type(error) is errors.ModelUnavailable


@pytest.mark.parametrize(
    ("after", "said"),
    [(0, "not begun to answer within 0.3 seconds"), (1, "not continued its answer within 0.2 seconds")],
)
async def test_a_stall_is_a_timeout_and_the_request_is_closed(provide: Provide, after: int, said: str) -> None:
    limits = TimeLimits(first_token=60 if after else 0.3, between_tokens=0.2)
    with running(OllamaServer(faults=[Break("stall", after)])) as server:
        error, came = await failure(provide(server, limits).language_model("tiny"))
        assert type(error) is errors.ModelTimeout
        assert said in error.message
        assert len(came) == after
        assert await asyncio.to_thread(server.left.wait, 120)


async def test_a_slow_stream_is_read_byte_by_byte(provide: Provide) -> None:
    with running(OllamaServer(lambda body: ["Bläu", "lich"], byte_by_byte=True)) as server:
        came = await pieces(provide(server).language_model("tiny"))
    assert came[:2] == [TextDelta("Bläu"), TextDelta("lich")]


async def test_closing_the_stream_closes_the_request(provide: Provide) -> None:
    with running(OllamaServer(faults=[Break("stall")])) as server:
        stream = provide(server).language_model("tiny").stream_answer(PROMPT, OPTIONS)
        assert await anext(stream) == TextDelta("You")
        await stream.aclose()
        assert await asyncio.to_thread(server.left.wait, 120)


async def test_parallel_answers_share_nothing(provide: Provide) -> None:
    with running(OllamaServer(lambda body: [str(body["options"]["num_predict"])] * 5)) as server:
        model = provide(server).language_model("tiny")
        answers = await asyncio.gather(*(pieces(model, options=GenerationOptions(n, 0.1, 8192)) for n in range(10, 30)))
    for number, answer in enumerate(answers, 10):
        assert answer[:-1] == [TextDelta(str(number))] * 5


class _Scripted(OllamaServer):
    """Answers with this body, whatever is asked."""

    def __init__(self, body: bytes, then: How = "end") -> None:
        super().__init__()
        self._body = body
        self._then: How = then
        self.asked = 0

    def routes(self) -> list[Route]:
        return [Route(ollama.CHAT, self._send, methods=["POST"]), *super().routes()]

    async def _send(self, request: Request) -> Response:
        self.asked += 1
        return StreamingResponse(self._pieces(request), media_type="application/x-ndjson")

    async def _pieces(self, request: Request) -> AsyncGenerator[bytes]:
        yield self._body
        await break_off(Break(self._then), request)


_BLUE = b'{"message": {"content": "Blue"}}\n'


@pytest.mark.parametrize(
    ("body", "then"),
    [
        (_BLUE[:20], "die"),
        (b"null\n", "end"),
        (b'{"message": {"content": "caf\xc3"}}\n', "end"),
        (_BLUE + b"x" * 2_000_000, "end"),
    ],
    ids=["half a frame", "null", "half a character", "an endless frame"],
)
async def test_an_answer_that_breaks_off_is_not_asked_for_again(provide: Provide, body: bytes, then: How) -> None:
    request = {"messages": [{"role": "user", "content": "Why?"}]}
    with running(_Scripted(body, then)) as server:
        with pytest.raises(errors.ModelIncomplete):
            [found async for found in provide(server).language_model("tiny").relay_request(request, ("", ""))]
        assert server.asked == 1
        assert type((await failure(provide(server).language_model("tiny")))[0]) is errors.ModelIncomplete


async def test_nothing_is_waited_for_behind_the_last_frame(provide: Provide) -> None:
    limits = TimeLimits(first_token=600, between_tokens=0.01)
    last = b'{"message": {"content": " light."}, "done": true, "done_reason": "stop"}\n'
    with running(_Scripted(_BLUE + last, "stall")) as server:
        came = await pieces(provide(server, limits).language_model("tiny"))
    assert came == [TextDelta("Blue"), TextDelta(" light."), Finished(FinishReason.STOP)]


async def test_few_spellings_of_names_are_remembered(provide: Provide) -> None:
    """Every client may make up others, which the server takes for the same models."""
    names = [f"tiny:{number}" for number in range(300)]
    with running(OllamaServer(models=dict.fromkeys(names, ollama.Model()))) as server:
        provider = provide(server)
        for name in (*names, names[-1], names[0]):
            assert await provider.language_model(name).context_window() == 8192
        asked = [body["model"] for body in server.bodies(ollama.SHOW)]
    assert asked == [*names, names[0]], "the last one is known, and the first one is not any more"


async def test_a_server_that_fails_to_describe_a_model_again_keeps_its_window() -> None:
    """With another window, Ollama reloads the model, here with more tokens than it was made for."""
    time = 0.0
    async with closed_after(OllamaProvider) as make:
        with running(OllamaServer()) as server:
            house = make(server.url, clock=lambda: time)
            await pieces(house.language_model("small"))
            server.showing = Refusal(503)
            time = 61.0
            await pieces(house.language_model("small"))
    assert [body["options"]["num_ctx"] for body in server.chats] == [2048, 2048]
