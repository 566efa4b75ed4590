"""The OpenAI provider against a failing server: which error, how many tries, what is closed."""

import asyncio
import itertools
import time
from collections.abc import AsyncGenerator, Callable
from typing import Any, Literal

import pytest
from starlette.requests import Request
from starlette.responses import Response

from app import errors
from app.providers.base import (
    Finished,
    TextDelta,
    TimeLimits,
)
from app.providers.openai.provider import OpenAIProvider
from app.providers.resilience.retries import RetryPolicy
from app.statuses import FinishReason
from tests.servers import openai
from tests.servers.asking import AT_ONCE, SECRET, closed_after, failure, pieces
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.running import Break, Fault, Page, Refusal, resetting, running, stalled
from tests.servers.scripted import DONE, STOP, ScriptedServer, chunk, say

Provide = Callable[..., OpenAIProvider]


def make(server: OpenAIServer | str, limits: TimeLimits | None = None, key: str | None = SECRET) -> OpenAIProvider:
    url = server if isinstance(server, str) else server.url
    return OpenAIProvider("stand-in", url, key, limits, local=True, retries=AT_ONCE)


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


FAILURES = ["error", "abort", "cancelled", "network_error", "insufficient_system_resource"]


@pytest.mark.parametrize("finish", FAILURES)
async def test_a_finish_reason_that_reports_a_failure_is_an_error(provide: Provide, finish: str) -> None:
    with running(OpenAIServer(lambda body: ["x"], finish=finish)) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert type(error) is errors.ModelFailed
    assert came == [TextDelta("x")]
    assert len(server.chats) == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("finish", FAILURES)
async def test_a_relayed_answer_that_ends_with_a_failure_is_an_error(
    provide: Provide, finish: str, stream: bool
) -> None:
    request = {"messages": [{"role": "user", "content": "?"}], "stream": stream}
    with running(OpenAIServer(lambda body: ["x"], finish=finish)) as server:
        relayed = provide(server).language_model("chat").relay_request(request, ("", ""))
        with pytest.raises(errors.ModelFailed):
            _ = [chunk async for chunk in relayed]


async def test_other_refusals_are_not_retried(provide: Provide) -> None:
    with running(OpenAIServer(refuses={"messages": f"no such thing for {SECRET} at http://x.test/?key=abc"})) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert type(error) is errors.ModelRefused
    assert error.message == "chat at stand-in refuses the request: no such thing for … at …."
    assert len(server.chats) == 1


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Refusal(401, {"error": {"message": f"Incorrect API key provided: {SECRET}"}}), errors.ModelUnauthorized),
        (Refusal(403), errors.ModelUnauthorized),
        (Refusal(404, {"error": {"message": "The model `chat` does not exist"}}), errors.ModelNotFound),
        (Refusal(404, "<html>not here</html>"), errors.ModelNotFound),
        (Refusal(400, openai.too_long(1024)), errors.ContextTooLong),
        (
            Refusal(400, {"error": {"message": "This model's maximum context length is 8 tokens."}}),
            errors.ContextTooLong,
        ),
        (Refusal(400, {"error": {"message": "no", "code": "context_length_exceeded"}}), errors.ContextTooLong),
        (Refusal(400, "what?"), errors.ModelRefused),
        (Refusal(422, {"detail": [{"msg": "field required"}]}), errors.ModelRefused),
    ],
)
async def test_permanent_statuses_are_not_retried(
    provide: Provide, fault: Refusal, kind: type[errors.AnswerError]
) -> None:
    with running(OpenAIServer(faults=itertools.repeat(fault))) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert (type(error), came, len(server.chats)) == (kind, [], 1)
    assert "chat" in error.message
    assert "stand-in" in error.message


@pytest.mark.parametrize(
    "fault", [Refusal(500), Refusal(503), Refusal(429), Refusal(502, "<html>Bad Gateway</html>"), Page()]
)
async def test_transient_errors_are_tried_three_times(provide: Provide, fault: Fault) -> None:
    with running(OpenAIServer(lambda body: ["x"], faults=[fault, fault])) as server:
        came = await pieces(provide(server).language_model("chat"))
    assert came == [TextDelta("x"), Finished(FinishReason.STOP, 8, 1)]
    assert len(server.chats) == 3

    with running(OpenAIServer(faults=itertools.repeat(fault))) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert isinstance(error, errors.ModelUnavailable)
    assert len(server.chats) == 3


async def test_retry_after_is_honored_when_it_is_short(provide: Provide) -> None:
    with running(OpenAIServer(faults=[Refusal(429, headers={"Retry-After": "0.2"})])) as server:
        started = time.monotonic()
        await pieces(provide(server).language_model("chat"))
        assert time.monotonic() - started >= 0.2
    assert len(server.chats) == 2


async def test_a_long_retry_after_is_passed_to_the_caller(provide: Provide) -> None:
    with running(OpenAIServer(faults=[Refusal(429, headers={"Retry-After": "60"})])) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert isinstance(error, errors.ModelRateLimited)
    assert error.retry_after == 60
    assert len(server.chats) == 1


async def test_an_exhausted_quota_is_not_retried(provide: Provide) -> None:
    fault = Refusal(429, {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}})
    with running(OpenAIServer(faults=[fault])) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert error.failure == "MODEL_RATE_LIMITED"
    assert not error.retryable
    assert len(server.chats) == 1


@pytest.mark.parametrize("how", ["end", "die", "half"])
@pytest.mark.parametrize("after", [0, 1])
async def test_a_stream_without_a_finish_reason_is_incomplete(
    provide: Provide, how: Literal["end", "die", "half"], after: int
) -> None:
    fault = Break(how, after)
    with running(OpenAIServer(lambda body: ["Blue", " light"], faults=[fault])) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert type(error) is errors.ModelIncomplete
    assert came == [TextDelta("Blue")][:after]
    assert len(server.chats) == 1


async def test_nothing_is_retried_after_the_first_piece(provide: Provide) -> None:
    with running(OpenAIServer(lambda body: ["a", "b"], faults=[Break("error", 1)])) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert type(error) is errors.ModelFailed
    assert "the model crashed" in error.message
    assert came == [TextDelta("a")]
    assert len(server.chats) == 1


async def test_an_answer_that_is_not_streamed_is_one_piece(provide: Provide) -> None:
    with running(OpenAIServer(lambda _: ["Blue", " light."], streams=False)) as server:
        came = await pieces(provide(server).language_model("chat"))
    assert came == [TextDelta("Blue light."), Finished(FinishReason.STOP, 8, 2)]
    assert len(server.chats) == 1


async def test_an_error_with_status_200_is_an_error(provide: Provide) -> None:
    body = {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}
    with running(OpenAIServer(faults=itertools.repeat(Refusal(200, body)))) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert type(error) is errors.ModelRateLimited


async def test_a_missing_server_and_one_that_hangs_up_are_unavailable(provide: Provide) -> None:
    nobody = provide(f"http://127.0.0.1:{closed_port()}/v1")
    error, _ = await failure(nobody.language_model("chat"))
    assert type(error) is errors.ModelUnreachable
    with resetting() as (url, connections):
        error, _ = await failure(provide(f"{url}/v1").language_model("chat"))
        assert type(error) is errors.ModelUnavailable
        assert len(connections) == 3


@pytest.mark.parametrize(
    ("after", "said"),
    [(0, "not begun to answer within 0.3 seconds"), (1, "not continued its answer within 0.2 seconds")],
)
async def test_a_stall_is_a_timeout_and_the_request_is_closed(provide: Provide, after: int, said: str) -> None:
    limits = TimeLimits(first_token=60 if after else 0.3, between_tokens=0.2)
    with running(OpenAIServer(faults=[Break("stall", after)])) as server:
        error, came = await failure(provide(server, limits).language_model("chat"))
        assert type(error) is errors.ModelTimeout
        assert said in error.message
        assert len(came) == after
        assert await asyncio.to_thread(server.left.wait, 120)


class Lingering(OpenAIServer):
    """A server that sends its end marker, and `behind` it, but keeps the connection open."""

    def __init__(self, behind: bytes) -> None:
        super().__init__(lambda _: ["x"])
        self.behind = behind

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        async def lingering() -> AsyncGenerator[bytes]:
            async for frame in frames:
                yield frame.replace(b"[DONE]", b"[DONE]" + self.behind)
            await stalled(request)

        return super().stream(request, lingering(), media_type)


@pytest.mark.parametrize("behind", [b"", b" "])
async def test_a_finished_stream_is_not_waited_for(provide: Provide, behind: bytes) -> None:
    limits = TimeLimits(first_token=600, between_tokens=600)
    with running(Lingering(behind)) as server:
        model = provide(server, limits).language_model("chat")
        assert await pieces(model) == [TextDelta("x"), Finished(FinishReason.STOP, 8, 1)]
        request = {"messages": [{"role": "user", "content": "x"}], "stream": True}
        *_, last = [chunk async for chunk in model.relay_request(request, ("", ""))]
    assert last["choices"] == [{"index": 0, "delta": {}, "finish_reason": "stop"}]


class Endless(OpenAIServer):
    """A server whose first event never ends, continuing with `line`."""

    def __init__(self, line: bytes) -> None:
        super().__init__()
        self.line = line

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        async def endless() -> AsyncGenerator[bytes]:
            while True:
                yield self.line
                await asyncio.sleep(0)  # or nobody here would hear that the client has left

        return super().stream(request, endless(), media_type)


@pytest.mark.parametrize("line", [b"x" * 1_000_000, b"data: " + b"x" * 1_000_000 + b"\n"])
async def test_an_endless_event_is_not_buffered_without_limit(provide: Provide, line: bytes) -> None:
    with running(Endless(line)) as server:
        provider = OpenAIProvider("stand-in", server.url, SECRET, local=True, retries=RetryPolicy(max_retries=0))
        error, came = await failure(provider.language_model("chat"))
        assert await asyncio.to_thread(server.left.wait, 120)
        await provider.close()
    assert (type(error), came) == (errors.ModelUnavailable, [])
    assert "is not that of a model server" in error.message


async def test_an_endless_event_in_an_answer_is_its_end(provide: Provide) -> None:
    with running(ScriptedServer(say("Blue"), *[b"data: " + b"x" * 1_000_000] * 2)) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert (type(error), came) == (errors.ModelIncomplete, [TextDelta("Blue")])


NAMED_ERRORS = [
    b'event: error\ndata: {"message": "the engine died", "type": "overloaded_error"}\n\n',
    b'event: error\r\ndata: {"error": {"message": "the engine died"}}\r\n\r\n',
    b"event: error\ndata: the engine died\n\n",
    b'data: {"object": "error", "message": "the engine died", "code": 50001}\n\n',
    b'data: {"type": "error", "error": {"message": "the engine died"}}\n\n',
]


@pytest.mark.parametrize("event", NAMED_ERRORS)
async def test_an_error_says_in_any_form_what_it_is(provide: Provide, event: bytes) -> None:
    with running(ScriptedServer(say("Blue"), event, DONE)) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert (type(error), came) == (errors.ModelFailed, [TextDelta("Blue")])
    assert error.message == "chat at stand-in cannot answer now: the engine died."


async def test_a_name_of_one_event_is_not_that_of_the_next(provide: Provide) -> None:
    named = b"event: message\n" + say("Blue")
    with running(ScriptedServer(b"event: error\n", b": nothing\n\n", named, say(" light"), STOP, DONE)) as server:
        came = await pieces(provide(server).language_model("chat"))
    assert "".join(piece.text for piece in came if isinstance(piece, TextDelta)) == "Blue light"


async def test_a_response_that_breaks_off_after_an_error_status_is_an_error(provide: Provide) -> None:
    broken = ScriptedServer(b'{"error": {"mess', then="die", media_type="application/json", status=500)
    with running(broken) as server:
        error, came = await failure(provide(server).language_model("chat"))
    assert (isinstance(error, errors.ModelUnavailable), came) == (True, [])


@pytest.mark.parametrize("value", ["inf", "1e999", "nan", "soon"])
async def test_an_invalid_retry_after_is_ignored(provide: Provide, value: str) -> None:
    with running(OpenAIServer(faults=itertools.repeat(Refusal(429, headers={"Retry-After": value})))) as server:
        error, _ = await failure(provide(server).language_model("chat"))
    assert isinstance(error, errors.ModelRateLimited)
    assert error.retry_after is None
    assert len(server.chats) == 3


@pytest.mark.parametrize(
    ("more", "is_read"), [({"prompt_progress": {"total": 50_000, "processed": 4}}, True), ({}, False)]
)
async def test_a_prompt_may_be_read_in_any_number_of_steps(
    provide: Provide, more: dict[str, Any], is_read: bool
) -> None:
    """llama.cpp reports each batch, which may have four tokens. Chunks without anything else are not waited for."""
    steps = chunk({"role": "assistant", "content": None}, **more) * 20_000
    with running(ScriptedServer(steps, say("x"), STOP, DONE)) as server:
        model = provide(server).language_model("chat")
        if is_read:
            assert [piece for piece in await pieces(model) if isinstance(piece, TextDelta)] == [TextDelta("x")]
        else:
            error, came = await failure(model)
            assert (type(error), came) == (errors.ModelIncomplete, [])
