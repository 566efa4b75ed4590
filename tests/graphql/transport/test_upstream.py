"""The faults of Strawberry, Starlette and graphql-core that our transports work around.

Each test runs the library alone and passes while it still has the fault. One that fails tells that the library has
changed: see whether the code that it names can go.
"""

import asyncio
import inspect
import json
import logging
import re
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from typing import Any, cast

import pytest
import strawberry
from starlette.responses import StreamingResponse
from starlette.types import Message, Scope
from strawberry.asgi import GraphQL
from strawberry.extensions import SchemaExtension
from strawberry.http.streaming import SSETransport, merge_stream_with_heartbeat
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.subscriptions.protocols.graphql_transport_ws import handlers

HELLO = {"type": "connection_init"}
EVENTS = 20


@strawberry.type
class Thing:
    number: int


@strawberry.type
class Query:
    @strawberry.field
    def fine(self) -> str:
        return "fine"

    @strawberry.field
    def context(self, info: strawberry.Info) -> str:
        return str(id(info.context))


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def things(self) -> AsyncGenerator[Thing, None]:
        for number in range(EVENTS):
            yield Thing(number=number)


SCHEMA = strawberry.Schema(Query, subscription=Subscription)


def subscribing(query: str, id: str = "1", **more: object) -> dict[str, object]:
    return {"type": "subscribe", "id": id, "payload": {"query": query, **more}}


async def socket(*messages: object, schema: strawberry.Schema = SCHEMA) -> list[Message]:
    """What an application of Strawberry alone sends on a WebSocket, until every operation ended or it closed."""
    sent: list[Message] = []
    waiting = [{"type": "websocket.connect"}]
    waiting += [{"type": "websocket.receive", "text": json.dumps(message)} for message in messages]
    operations = sum(isinstance(message, dict) and "id" in message for message in messages)
    over = asyncio.Event()

    async def receive() -> Message:
        if not waiting:
            await over.wait()
        return waiting.pop(0) if waiting else {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        sent.append(message)
        ended = [told for told in spoken(sent) if told["type"] in ("complete", "error")]
        if message["type"] == "websocket.close" or len(ended) == operations:
            over.set()

    scope: Scope = {
        "type": "websocket",
        "path": "/",
        "headers": [],
        "query_string": b"",
        "subprotocols": [GRAPHQL_TRANSPORT_WS_PROTOCOL],
        "state": {},
    }
    async with asyncio.timeout(30):
        await GraphQL[Any, Any](schema)(scope, receive, send)
    return sent


def spoken(sent: list[Message]) -> list[dict[str, Any]]:
    return [json.loads(message["text"]) for message in sent if message["type"] == "websocket.send"]


async def posted(query: str, accept: str) -> tuple[int, str]:
    """The status and the media type of a request to an application of Strawberry alone."""
    sent: list[Message] = []
    body = json.dumps({"query": query}).encode()
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else await asyncio.Future[Message]()

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"accept", accept.encode())],
    }
    async with asyncio.timeout(30):
        await GraphQL[Any, Any](SCHEMA, subscription_protocols=[GRAPHQL_SSE_PROTOCOL])(scope, receive, send)
    headers = dict(sent[0]["headers"])
    return sent[0]["status"], headers[b"content-type"].decode().split(";")[0]


async def test_a_wrong_operation_closes_the_socket() -> None:
    """See `SocketHandler._send_results`."""
    sent = await socket(HELLO, subscribing("{"))
    assert sent[-1]["type"] == "websocket.close"
    assert sent[-1]["code"] == 4400


@pytest.mark.parametrize(
    "message", [[], {"type": "subscribe", "id": "1", "payload": []}, {"type": "subscribe", "id": [], "payload": {}}]
)
async def test_a_malformed_message_raises(message: object) -> None:
    """See `SocketHandler.handle_message`."""
    with pytest.raises(TypeError):
        await socket(HELLO, message)


def test_sockets_are_not_pinged() -> None:
    """See `SocketHandler._ping_until_silent`."""
    source = inspect.getsource(handlers)
    assert '"type": "pong"' in source
    assert '"type": "ping"' not in source


async def test_extensions_are_dropped_on_a_socket() -> None:
    """See `SocketHandler.run_operation`."""
    seen: list[object] = []

    class Watching(SchemaExtension):
        def on_operation(self) -> Generator[None]:
            seen.append(self.execution_context.operation_extensions)
            yield

    await socket(
        HELLO,
        subscribing("{ fine }", extensions={"key": 1}),
        schema=strawberry.Schema(Query, extensions=[Watching]),
    )
    assert seen == [None]


async def test_what_breaks_inside_is_silence_on_a_socket(caplog: pytest.LogCaptureFixture) -> None:
    """See `SocketHandler._run_and_report`."""

    class Broken(strawberry.Schema):
        async def stream(self, *_: Any, **__: Any) -> Any:
            raise RuntimeError("broken")

    with caplog.at_level(logging.CRITICAL, "strawberry.ws.task"):
        sent = await socket(HELLO, subscribing("{ fine }"), schema=Broken(Query))
    assert [message["type"] for message in spoken(sent)] == ["connection_ack", "complete"]


async def test_operations_of_a_socket_share_a_context() -> None:
    """See `Schema.stream`."""
    sent = await socket(HELLO, subscribing("{ context }", "1"), subscribing("{ context }", "2"))
    told = [message["payload"]["data"]["context"] for message in spoken(sent) if message["type"] == "next"]
    assert len(told) == 2
    assert told[0] == told[1]


async def test_queries_are_streamed_to_clients_that_also_take_events() -> None:
    """See `GraphQLAPI.parse_http_body`."""
    both = "application/graphql-response+json, application/json, text/event-stream, multipart/mixed"
    assert await posted("{ fine }", both) == (200, "text/event-stream")


@pytest.mark.parametrize("query", ["{", "{ missing }"])
async def test_a_wrong_operation_is_200(query: str) -> None:
    """See `OperationView.execute_operation`."""
    assert await posted(query, "application/graphql-response+json") == (200, "application/json")


async def test_the_first_of_several_operations_is_run() -> None:
    """See `OperationCache.read_document`."""
    result = await SCHEMA.execute("query A { fine } query B { fine }")
    assert (result.data, result.errors) == ({"fine": "fine"}, None)


def test_lines_of_events_end_in_crlf() -> None:
    """See `EventStream`."""
    assert SSETransport().encode_event("next", "1").endswith("\r\n\r\n")


async def test_events_are_made_ahead() -> None:
    """See `with_heartbeats`."""
    made = 0

    async def events() -> AsyncGenerator[str]:
        nonlocal made
        for made in range(1, EVENTS):  # noqa: B007
            yield "event"

    stream = merge_stream_with_heartbeat(events, lambda: "heartbeat", 60, send_initial_heartbeat=False)()
    assert await anext(stream) == "event"
    for _ in range(EVENTS):
        await asyncio.sleep(0)
    assert made > 1
    await stream.aclose()


async def test_the_body_of_a_response_is_not_closed() -> None:
    """See `CancellableStream`."""
    closed = False
    sending = asyncio.Event()

    async def body() -> AsyncGenerator[str]:
        nonlocal closed
        try:
            while True:
                yield "event"
        finally:
            closed = True

    async def receive() -> Message:
        await sending.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            sending.set()
            await asyncio.Future[None]()  # the client reads nothing

    events = body()
    async with asyncio.timeout(30):
        await StreamingResponse(events)({"type": "http"}, receive, send)
    assert not closed
    await events.aclose()
    assert closed


async def test_a_stream_whose_next_event_is_always_ready_outlives_its_client() -> None:
    """See `run_while_connected`. anyio cancels no task that is about to be woken."""
    loop = asyncio.get_running_loop()
    next_event: asyncio.Future[str] = loop.create_future()
    leaving = asyncio.Event()
    left = False
    after = 0

    def make_ready() -> None:
        if not next_event.done():
            next_event.set_result("event")
        if after < EVENTS:
            loop.call_soon(make_ready)
            loop.call_soon(leaving.set)

    async def body() -> AsyncGenerator[str]:
        nonlocal next_event, after
        loop.call_soon(make_ready)
        while after < EVENTS:
            yield await next_event
            next_event = loop.create_future()
            after += left

    async def receive() -> Message:
        nonlocal left
        await leaving.wait()
        left = True
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pass

    async with asyncio.timeout(30):
        await StreamingResponse(body())({"type": "http"}, receive, send)
    assert after == EVENTS


async def test_the_fields_of_all_events_are_kept() -> None:
    """See `Executor.build_per_event_executor`."""
    made: list[Any] = []

    class Watched(StrawberryGraphQLCoreExecutionContext):
        def build_per_event_executor(self, payload: Any) -> Any:
            made.append(super().build_per_event_executor(payload))  # pyright: ignore[reportUnknownMemberType]
            return made[-1]

    schema = strawberry.Schema(Query, subscription=Subscription, execution_context_class=Watched)
    async for result in cast("AsyncGenerator[Any]", await schema.stream("subscription { things { number } }")):
        assert result.errors is None
    kept: dict[object, object] = made[-1]._relevant_sub_fields
    assert len(made) == EVENTS
    assert len(kept) == EVENTS


def test_the_code_that_is_named_here_exists() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (Path(__file__).parents[3] / "app").rglob("*.py"))
    for named in re.findall(r"See `([\w.]+)`", Path(__file__).read_text(encoding="utf-8")):
        for name in named.split("."):
            assert re.search(rf"(?:class|def) {name}\b", code), named
