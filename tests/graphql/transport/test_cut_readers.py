"""A hundred simultaneous answers whose readers keep losing their connection: each text arrives whole, once."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import httpx
from starlette.requests import Request
from starlette.responses import Response

from tests.graphql.client import CREATE_PROJECT, Client, Json, received, start, subscribe
from tests.graphql.conftest import Scripted
from tests.graphql.transport.test_streams import MULTIPART, SSE
from tests.servers.openai import OpenAIServer
from tests.servers.running import Break

ANSWERS = 100
STAGES = 5
EVENTS_UNTIL_CUT = 2
SECONDS = 120
FOLLOW = """subscription($id: ID!, $after: Int! = 0) { answerEvents(messageId: $id, after: $after) {
  __typename sequence ... on AnswerDelta { text content } } }"""
ASK = """mutation($session: CreateChatSessionInput!) { createChatSession(input: $session) {
  ... on CreateChatSessionPayload { chatSession { id } } } }"""
SEND = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { answer { id } } } }"""
MESSAGE = "query($id: ID!) { message(id: $id) { status content } }"


class StagedServer(OpenAIServer):
    """A model whose answers all continue together once every reader has caught up."""

    def __init__(self) -> None:
        super().__init__(lambda body: [f"{body['messages'][-1]['content']} says {stage}. " for stage in range(STAGES)])
        self._stages: list[asyncio.Event] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open = 1
        self._seen = Counter[int]()

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        """Each piece waits for its stage."""
        self._loop = asyncio.get_running_loop()
        self._stages = self._stages or [asyncio.Event() for _ in range(STAGES)]
        self._stages[0].set()

        async def staged() -> AsyncGenerator[bytes]:
            stage = 0
            async for frame in frames:
                if b"says" in frame:
                    await self._stages[stage].wait()
                    stage += 1
                yield frame

        return super().stream(request, staged(), media_type)

    def seen(self, stage: int) -> None:
        """A reader has reached a stage; the last one opens the next."""
        self._seen[stage] += 1
        if self._seen[stage] == ANSWERS and stage + 1 < STAGES and self._loop is not None:
            self._loop.call_soon_threadsafe(self._stages[stage + 1].set)


Follow = Callable[[Client, str, int], AsyncGenerator[Json]]


async def by_socket(client: Client, id: str, after: int) -> AsyncGenerator[Json]:
    """The events of an answer over a socket, closed when the reader stops."""
    async with client.socket() as socket, aclosing(subscribe(socket, FOLLOW, id=id, after=after)) as events:
        try:
            async for event in events:
                yield event
        finally:
            socket.transport.abort()


def by_response(headers: dict[str, str]) -> Follow:
    """The events of an answer over a streamed response."""

    async def follow(client: Client, id: str, after: int) -> AsyncGenerator[Json]:
        body = {"query": FOLLOW, "variables": {"id": id, "after": after}}
        async with client.http.stream("POST", client.url, json=body, headers=headers) as response:
            async for line in response.aiter_lines():
                if line.startswith(("data: {", "{")):
                    found: Json = json.loads(line.removeprefix("data: "))
                    result: Json = found.get("payload", found)
                    if result:  # a heartbeat has none
                        assert "errors" not in result, result
                        yield result["data"]["answerEvents"]

    return follow


TRANSPORTS: list[Follow] = [by_socket, by_response(SSE), by_response(MULTIPART)]


async def read(client: Client, model: StagedServer, id: str, follow: Follow) -> tuple[list[int], str, int]:
    """The sequence numbers and text a reader ends up with, and how often it was cut off."""
    sequences: list[int] = []
    text, stages, cuts = "", 0, 0
    while True:
        async with aclosing(follow(client, id, sequences[-1] if sequences else 0)) as events:
            count = 0
            async for event in events:
                sequences.append(event["sequence"])
                text += event.get("text", "")
                assert event.get("content", text) == text
                while f"says {stages}." in text:
                    model.seen(stages)
                    stages += 1
                if event["__typename"] == "AnswerCompleted":
                    return sequences, text, cuts
                count += 1
                if count == EVENTS_UNTIL_CUT:
                    break
            else:
                raise AssertionError(f"the stream ended by itself, before the answer did, after {sequences}")
        cuts += 1


async def test_interrupted_readers_miss_nothing_and_see_nothing_twice(scripted: Scripted) -> None:
    model = StagedServer()
    client = scripted(model, model_requests_at_once=ANSWERS)
    client.http.timeout = httpx.Timeout(SECONDS)
    project = (await client.mutate(CREATE_PROJECT, name="Cut"))["project"]["id"]

    async def followed(number: int) -> tuple[str, tuple[list[int], str, int]]:
        made = await client.run(ASK, session={"projectId": project, "enableRag": False})
        session = made["createChatSession"]["chatSession"]["id"]
        sent = await client.run(SEND, input={"sessionId": session, "content": f"Number {number}"})
        id = sent["sendMessage"]["answer"]["id"]
        return id, await read(client, model, id, TRANSPORTS[number % len(TRANSPORTS)])

    async with asyncio.timeout(SECONDS):
        found = await asyncio.gather(*map(followed, range(ANSWERS)))
    for number, (id, (sequences, text, cuts)) in enumerate(found):
        message = (await client.run(MESSAGE, id=id))["message"]
        assert message == {"status": "COMPLETED", "content": text}
        assert text == "".join(f"Number {number} says {stage}. " for stage in range(STAGES))
        assert sequences == list(range(1, len(sequences) + 1))
        assert cuts >= STAGES // EVENTS_UNTIL_CUT
    asked = Counter(body["messages"][-1]["content"] for body in model.chats)
    assert asked == Counter(f"Number {number}" for number in range(ANSWERS))


async def test_the_events_of_a_deleted_answer_do_not_end_as_if_it_were_complete(scripted: Scripted) -> None:
    model = OpenAIServer(lambda _: ["Half ", "an answer."])
    model.scripts = {"chat": iter(lambda: Break("stall", 1), None)}
    client = scripted(model)
    session = await client.session(await client.project("deleted"), enableRag=False)
    answer = (await client.mutate(SEND, sessionId=session, content="What?"))["answer"]["id"]
    async with client.socket() as socket:
        await start(socket, "1", FOLLOW, id=answer)
        while (await received(socket))["payload"]["data"]["answerEvents"]["__typename"] != "AnswerDelta":
            pass
        await client.run("mutation($id: ID!) { deleteChatSession(input: { id: $id }) { __typename } }", id=session)
        last = await received(socket)
    assert [error["extensions"]["code"] for error in last["payload"]["errors"]] == ["NOT_FOUND"]
