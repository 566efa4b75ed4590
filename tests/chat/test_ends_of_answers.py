"""The end of a streamed answer: a finish reason is not always the end, and nothing that follows the end undoes it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import pytest

from app import errors
from app.providers.base import Finished, Piece, TextDelta, TimeLimits
from app.providers.openai.provider import OpenAIProvider
from app.statuses import FinishReason
from tests.servers.asking import AT_ONCE, SECRET, closed_after, failure, pieces
from tests.servers.running import How, running
from tests.servers.scripted import DONE, STOP, USAGE, ScriptedServer, chunk, event, say

Json = Any
Provide = Callable[..., OpenAIProvider]
ASKED = {"messages": [{"role": "user", "content": "Why?"}], "stream": True}
# Nothing here may wait for it: the answer is complete without what is waited for.
PATIENT = TimeLimits(first_token=600, between_tokens=600)


def make(server: ScriptedServer, limits: TimeLimits = PATIENT) -> OpenAIProvider:
    return OpenAIProvider("stand-in", server.url, SECRET, limits, local=True, retries=AT_ONCE)


@pytest.fixture
async def provide() -> AsyncGenerator[Provide]:
    async with closed_after(make) as closing:
        yield closing


def written(came: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in came if isinstance(piece, TextDelta))


async def relayed(provider: OpenAIProvider) -> list[Json]:
    return [chunk async for chunk in provider.language_model("chat").relay_request(ASKED, ("", ""))]


def text_of(chunks: Sequence[Json]) -> str:
    return "".join(choice["delta"].get("content") or "" for one in chunks for choice in one["choices"])


GOES_ON = {
    "a finish reason in each chunk": [say("Blue", "stop"), say(" light", "stop"), say(" scatters.", "stop"), DONE],
    "a finish reason in each chunk, the first of them empty": [
        chunk({"role": "assistant", "content": ""}, "stop"),
        *[say(part, "stop") for part in ("Blue", " light", " scatters.")],
    ],
    "text after a finish reason": [say("Blue"), STOP, say(" light"), say(" scatters."), USAGE, DONE],
    "text after a finish reason, in one piece": [b"".join([say("Blue"), STOP, say(" light scatters."), DONE])],
}


@pytest.mark.parametrize("body", GOES_ON.values(), ids=GOES_ON)
async def test_text_after_a_finish_reason_belongs_to_the_answer(provide: Provide, body: list[bytes]) -> None:
    with running(ScriptedServer(*body)) as server:
        came = await pieces(provide(server).language_model("chat"))
        passed = await relayed(provide(server))
    assert written(came) == text_of(passed) == "Blue light scatters."
    assert [piece for piece in came if isinstance(piece, Finished)] == [came[-1]]


async def test_the_reason_of_the_end_is_the_one_that_counts(provide: Provide) -> None:
    with running(ScriptedServer(say("Blue", "stop"), say(" light", "length"), STOP, DONE)) as server:
        [*_, last] = await pieces(provide(server).language_model("chat"))
    assert last == Finished(FinishReason.STOP)
    with running(ScriptedServer(say("Blue light"), chunk({}, "length"), STOP, DONE)) as server:
        [*_, last] = await pieces(provide(server).language_model("chat"))
    assert last == Finished(FinishReason.LENGTH)


async def test_a_finish_reason_that_text_follows_does_not_complete_an_answer(provide: Provide) -> None:
    """Or an answer that breaks off would look complete: this server sends the reason with each chunk."""
    with running(ScriptedServer(say("Blue", "stop"), say(" light", "stop"), then="die")) as server:
        error, came = await failure(provide(server).language_model("chat"))
        with pytest.raises(errors.ModelIncomplete):
            await relayed(provide(server))
    assert (type(error), written(came)) == (errors.ModelIncomplete, "Blue light")


BEHIND: dict[str, tuple[list[bytes], How]] = {
    "the connection ends": ([], "die"),
    "silence": ([], "stall"),
    "an error": ([event({"error": {"message": "no usage", "code": 500}})], "end"),
    "an error as a finish reason": ([chunk({}, "error")], "end"),
    "garbage": ([b"data: {oops\n\n"], "end"),
    "no object": ([b"data: []\n\n"], "end"),
}


@pytest.mark.parametrize(("behind", "then"), BEHIND.values(), ids=BEHIND)
async def test_what_follows_a_complete_answer_does_not_undo_it(
    provide: Provide, behind: list[bytes], then: How
) -> None:
    limits = TimeLimits(first_token=600, between_tokens=0.5) if then == "stall" else PATIENT
    with running(ScriptedServer(say("Blue light."), STOP, *behind, then=then)) as server:
        came = await pieces(provide(server, limits).language_model("chat"))
        passed = await relayed(provide(server, limits))
    assert came == [TextDelta("Blue light."), Finished(FinishReason.STOP)]
    assert text_of(passed) == "Blue light."
    assert passed[-1]["choices"][0]["finish_reason"] == "stop"


async def test_silence_behind_an_answer_is_shorter_than_between_two_pieces(provide: Provide) -> None:
    """Usage comes at once, or never."""
    with running(ScriptedServer(say("Blue light."), STOP, then="stall")) as server:
        async with asyncio.timeout(60):
            assert text_of(await relayed(provide(server))) == "Blue light."


async def test_an_answer_that_has_not_begun_is_not_complete(provide: Provide) -> None:
    """A server that sends `stop` with each chunk may send the first before it has read the prompt."""
    limits = TimeLimits(first_token=600, between_tokens=0.5)
    with running(ScriptedServer(STOP, then="stall")) as server, pytest.raises(errors.ModelTimeout):
        await relayed(provide(server, limits))
    with running(ScriptedServer(STOP, DONE)) as server:
        assert await pieces(provide(server).language_model("chat")) == [Finished(FinishReason.STOP)]
    with running(ScriptedServer(chunk({}, "content_filter"), then="die")) as server:
        assert await pieces(provide(server).language_model("chat")) == [Finished(FinishReason.FILTER)]
