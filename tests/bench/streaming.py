"""A running server in; the time to its first words and the events per second that readers get, out."""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import httpx
from gql import Client, GraphQLRequest
from gql.client import AsyncClientSession
from gql.transport.websockets import WebsocketsTransport

from tests.bench.measured import Row, spread
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running

PIECES = 400
SESSION = """mutation ($id: ID!) { createChatSession(input: { projectId: $id, model: "openai/chat", grounding: OPEN }) {
  ... on CreateChatSessionPayload { chatSession { id } } ... on Error { message } } }"""
SEND = """mutation ($id: ID!, $content: String!) { sendMessage(input: { sessionId: $id, content: $content }) {
  ... on SendMessagePayload { answer { id } } ... on Error { message } } }"""
FOLLOW = "subscription ($id: ID!) { answerEvents(messageId: $id) { __typename ... on AnswerDelta { text } } }"
PROJECTS = "{ projects(first: 100) { nodes { id name } } }"


def words(body: Body) -> list[str]:
    """The model's answer, at once: long for a question that asks for it."""
    return ["word "] * (PIECES if "long" in body["messages"][-1]["content"] else 3)


async def measure(database_url: str, project: str) -> list[Row]:
    """First words at 10,000 chunks, then one long log replayed by 1 and by 50 readers."""
    with running(OpenAIServer(words)) as model, serving(database_url, model.url) as url:
        async with connected(url) as session:
            projects = (await run(session, PROJECTS))["projects"]["nodes"]
            project_id = next(found["id"] for found in projects if found["name"] == project)
            first = [(await first_delta(session, project_id, i))[0] for i in range(30)]
        own = [await model_alone(model.url) for _ in range(30)]
        beyond = statistics.median(first) - statistics.median(own)
        rows = [
            ("sendMessage to first words", spread(first)),
            ("of that, the model's own time", spread(own)),
            ("beyond the model, median", f"    {beyond:6.1f} ms"),
        ]
        async with connected(url) as session:
            _, message_id = await first_delta(session, project_id, 0, "Write a long answer.", to_the_end=True)
        return [*rows, *[await replays(url, message_id, readers) for readers in (1, 50)]]


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


async def first_delta(
    session: AsyncClientSession, project_id: str, number: int, content: str = "", *, to_the_end: bool = False
) -> tuple[float, str]:
    """Milliseconds from `sendMessage` to the first words, in a chat session of its own; and the answer's id."""
    made = await run(session, SESSION, id=project_id)
    content = content or f"What is said about integers, question {number}?"
    start, heard = time.perf_counter(), 0.0
    sent = await run(session, SEND, id=made["createChatSession"]["chatSession"]["id"], content=content)
    message_id = sent["sendMessage"]["answer"]["id"]
    async for result in session.subscribe(GraphQLRequest(FOLLOW, variable_values={"id": message_id})):
        if result["answerEvents"]["__typename"] == "AnswerDelta" and not heard:
            heard = (time.perf_counter() - start) * 1000
    assert heard or to_the_end
    return heard, message_id


async def model_alone(url: str) -> float:
    """Milliseconds from a request straight to the model until its first words."""
    body = {"model": "chat", "stream": True, "messages": [{"role": "user", "content": "Hello"}]}
    start = time.perf_counter()
    async with httpx.AsyncClient() as client, client.stream("POST", f"{url}/chat/completions", json=body) as response:
        async for line in response.aiter_lines():
            if "word" in line:
                break
    return (time.perf_counter() - start) * 1000


async def replays(url: str, message_id: str, readers: int) -> Row:
    """The whole log again and again, by so many readers at once, each on a connection of its own."""
    rounds = 200 // readers

    async def read() -> int:
        count = 0
        async with connected(url) as session:
            for _ in range(rounds):
                request = GraphQLRequest(FOLLOW, variable_values={"id": message_id})
                async for _ in session.subscribe(request):
                    count += 1
        return count

    start = time.perf_counter()
    counts = await asyncio.gather(*(read() for _ in range(readers)))
    speed = sum(counts) / (time.perf_counter() - start)
    return f"replay, {readers} readers", f"    {speed:6.0f} events/s   ({sum(counts)} events)"
