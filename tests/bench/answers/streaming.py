"""Measure a running server's time to first words, and the events per second that readers receive."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from typing import Any

import httpx
from gql import Client, GraphQLRequest
from gql.client import AsyncClientSession
from gql.transport.websockets import WebsocketsTransport
from starlette.requests import Request
from starlette.responses import Response

from tests.bench.measured import Row, compare_times
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running

PIECES = 200
PACE_SECONDS = 0.03  # longer than a tick of the journal
SESSION = """mutation ($id: ID!) { createChatSession(input: { projectId: $id, model: "openai/chat", grounding: OPEN }) {
  ... on CreateChatSessionPayload { chatSession { id } } ... on Error { message } } }"""
SEND = """mutation ($id: ID!, $content: String!) { sendMessage(input: { sessionId: $id, content: $content }) {
  ... on SendMessagePayload { answer { id } } ... on Error { message } } }"""
FOLLOW = "subscription ($id: ID!) { answerEvents(messageId: $id) { __typename ... on AnswerDelta { text } } }"
PROJECTS = "{ projects(first: 100) { nodes { id name } } }"


class PacedServer(OpenAIServer):
    """A model that answers a few words at once, or a long text at a steady pace."""

    def __init__(self) -> None:
        super().__init__(lambda body: ["word "] * (PIECES if _is_long(body) else 3))

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        """Pause between the pieces of a long answer, so that each becomes an event."""

        async def paced() -> AsyncGenerator[bytes]:
            async for frame in frames:
                yield frame
                await asyncio.sleep(PACE_SECONDS if _is_long(self.chats[-1]) else 0)

        return super().stream(request, paced(), media_type)


def _is_long(body: Body) -> bool:
    return "long" in body["messages"][-1]["content"]


async def measure(database_url: str, project: str) -> list[Row]:
    """Time to first words with 10,000 chunks, then the replay of one long log by 1 and by 50 readers."""
    with running(PacedServer()) as model, serving(database_url, model.url) as url:
        async with connected(url) as session:
            projects = (await run(session, PROJECTS))["projects"]["nodes"]
            project_id = next(found["id"] for found in projects if found["name"] == project)
            first = [await first_delta(session, project_id, i) for i in range(30)]
        # As Footnote does, over a connection that is already there.
        async with httpx.AsyncClient() as http:
            own = [await model_alone(http, model.url) for _ in range(31)][1:]
        rows = [
            compare_times("sendMessage to first words", first, "the model alone", own),
        ]
        live = [await followed(url, project_id, readers) for readers in (1, 50)]
        return [*rows, *(row for row, _ in live), *await replays(url, live[0][1])]


@contextmanager
def serving(database_url: str, model_url: str) -> Generator[str]:
    """`footnote serve` as a process of its own; its GraphQL address."""
    environment = {**os.environ, "DATABASE_URL": database_url, "OPENAI_BASE_URL": model_url, "OPENAI_API_KEY": "bench"}
    command = [sys.executable, "-m", "app", "serve", "--port", "0"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        yield next(word for line in server.stdout for word in line.split() if word.endswith("/graphql"))
    finally:
        server.terminate()
        server.wait(15)


def connected(url: str) -> Client:
    """A WebSocket connection of its own."""
    return Client(transport=WebsocketsTransport(url=url.replace("http", "ws"), subprotocols=["graphql-transport-ws"]))


async def run(session: AsyncClientSession, query: str, **variables: Any) -> dict[str, Any]:
    """One operation."""
    return await session.execute(GraphQLRequest(query, variable_values=variables))


async def first_delta(session: AsyncClientSession, project_id: str, number: int) -> float:
    """Milliseconds from `sendMessage` to the first words, in a fresh chat session."""
    made = await run(session, SESSION, id=project_id)
    content = f"What is said about integers, question {number}?"
    start, heard = time.perf_counter(), 0.0
    sent = await run(session, SEND, id=made["createChatSession"]["chatSession"]["id"], content=content)
    message_id = sent["sendMessage"]["answer"]["id"]
    async for result in session.subscribe(GraphQLRequest(FOLLOW, variable_values={"id": message_id})):
        if result["answerEvents"]["__typename"] == "AnswerDelta" and not heard:
            heard = (time.perf_counter() - start) * 1000
    return heard


async def followed(url: str, project_id: str, readers: int) -> tuple[Row, str]:
    """Follow a long answer live with this many readers; also return the answer's id."""
    async with connected(url) as session:
        made = await run(session, SESSION, id=project_id)
        sent = await run(
            session, SEND, id=made["createChatSession"]["chatSession"]["id"], content="Write a long answer."
        )
        message_id = sent["sendMessage"]["answer"]["id"]
    start = time.perf_counter()
    counts = await asyncio.gather(*(read(url, message_id, 1) for _ in range(readers)))
    speed = sum(counts) / (time.perf_counter() - start)
    pace = readers / PACE_SECONDS
    row = Row(f"live, {readers} readers", f"{speed:,.0f} events/s", f"the model's pace {pace:,.0f}", speed / pace)
    return row, message_id


async def read(url: str, message_id: str, rounds: int) -> int:
    """The number of events that one reader receives on its own connection."""
    count = 0
    async with connected(url) as session:
        for _ in range(rounds):
            request = GraphQLRequest(FOLLOW, variable_values={"id": message_id})
            async for _ in session.subscribe(request):
                count += 1
    return count


async def model_alone(client: httpx.AsyncClient, url: str) -> float:
    """Milliseconds until the first words when the model is asked directly."""
    body = {"model": "chat", "stream": True, "messages": [{"role": "user", "content": "Hello"}]}
    start = time.perf_counter()
    took = 0.0
    async with client.stream("POST", f"{url}/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if "word" in line and not took:
                took = (time.perf_counter() - start) * 1000
    return took


async def replays(url: str, message_id: str) -> list[Row]:
    """Replay the whole log repeatedly with one reader and with 50, each on its own connection."""
    speeds = {readers: await _replayed(url, message_id, readers) for readers in (1, 50)}
    alone = speeds[1]
    return [
        Row(f"replay, {readers} readers", f"{speed:,.0f} events/s", f"one reader {alone:,.0f}", speed / alone)
        for readers, speed in speeds.items()
    ]


async def _replayed(url: str, message_id: str, readers: int) -> float:
    """Events per second."""
    start = time.perf_counter()
    counts = await asyncio.gather(*(read(url, message_id, 50 // readers) for _ in range(readers)))
    return sum(counts) / (time.perf_counter() - start)
