"""Soak test: minutes of mixed use, watching the server's memory and any error outside the contract.

`python -m tests.bench soak [SECONDS]`: users ask over both APIs, add, search and delete documents, and cut their
readers off, while some of the models they ask do not stop, break off or refuse.
"""

import asyncio
import json
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed

from tests.bench import running
from tests.bench.measured import Aim, Row
from tests.bench.resources import own, resident
from tests.graphql.client import ADD_TEXT, EVENTS, SEND, Client, start, subscribe

SECONDS = 300
USERS = 12
# What may be told to who asks for too much at once, or of a model that does not behave.
CONTRACT = {200, 206, 400, 404, 413, 429, 502, 503, 504}
MODELS = ("fine", "fine", "fine", "long", "text", "thoughts", "tiny", "huge", "line", "error", "whole", "calls")
SEARCH = "query($input: SearchInput!) { search(input: $input) { edges { node { text } } } }"
DELETE = (
    "mutation($input: DeleteDocumentInput!) { deleteDocument(input: $input) { __typename ... on Error { message } } }"
)


@dataclass
class Soak:
    """What has happened so far; `strange` are errors outside the contract."""

    client: Client
    root: str
    done: Counter[str] = field(default_factory=Counter[str])
    strange: Counter[str] = field(default_factory=Counter[str])

    def check(self, response: httpx.Response, what: str) -> Any:
        """The body of a response whose status and codes are in the contract."""
        body: Any = response.json() if "json" in response.headers.get("content-type", "") else {}
        errors: list[Any] = body.get("errors", [])
        internal = [error for error in errors if error.get("extensions", {}).get("code") == "INTERNAL_SERVER_ERROR"]
        if response.status_code not in CONTRACT or internal:
            self.strange[f"{what}: {response.status_code} {str(internal)[:200]}"] += 1
        return body

    async def run(self, query: str, what: str, **variables: Any) -> Any:
        """The data of an operation; {} if it was refused."""
        body = self.check(await self.client.post(query, **variables), what)
        data: dict[str, Any] = body.get("data") or {}
        return next(iter(data.values()), None) or {}


async def measure(seconds: int = SECONDS) -> list[Row]:
    """Memory after a fifth, three fifths and all of the time; what was done; what was strange."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        model = stack.enter_context(running.process("tests.servers.endless"))
        environment = {
            **os.environ,
            "DATABASE_URL": f"sqlite:///{folder}/soak.db",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{running.line(model)}/v1",
            "CHAT_MODEL": "openai/fine",
        }
        server = stack.enter_context(running.serving(environment))
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(timeout=180, limits=limits) as http:
            root = server.url.removesuffix("/graphql")
            soak = Soak(Client(http, root), root)
            until = time.monotonic() + seconds
            users = [asyncio.create_task(_user(soak, until, number)) for number in range(USERS)]
            memory: list[tuple[str, str, int]] = []
            for share in (0.2, 0.6, 1.0):
                await asyncio.sleep(max(0.0, until - seconds * (1 - share) - time.monotonic()))
                alone, parsers = own(server.pid), resident(server.pid) - own(server.pid)
                said = f"{alone / 1e6:.0f} MB (parsers {parsers / 1e6:.0f})"
                memory.append((f"after {seconds * share:.0f} s", said, alone))
            for user in users:
                user.cancel()
            for ended in await asyncio.gather(*users, return_exceptions=True):
                if isinstance(ended, Exception):
                    soak.strange[repr(ended)[:200]] += 1
            health = (await http.get(f"{root}/health")).json()
    return [
        Row("memory at the end", memory[-1][1], f"{memory[0][1]} {memory[0][0]}", memory[-1][2] / memory[0][2]),
        Row("done", ", ".join(f"{count} {what}" for what, count in soak.done.most_common())),
        Row("errors outside of the contract", str(dict(soak.strange) or "none"), aim=Aim("none", not soak.strange)),
        Row("health at the end", str(health["status"]), aim=Aim("UP", health["status"] == "UP")),
    ]


async def _user(soak: Soak, until: float, number: int) -> None:
    choice = random.Random(number)  # noqa: S311 - the same in each run
    project = await soak.client.project(f"Soak {number}")
    documents: list[str] = []
    while time.monotonic() < until:
        work = choice.choice(WORK)
        with suppress(httpx.TransportError, ConnectionClosed):  # a connection that was cut
            await work(soak, choice, project, documents)
        soak.done[work.__name__.strip("_")] += 1


async def _ask(soak: Soak, choice: random.Random, project: str, _: list[str]) -> None:
    """Ask, and more often than not leave before the end."""
    name = f"openai/{choice.choice(MODELS)}"
    session = await soak.client.session(project, enableRag=choice.random() < 0.5, model=name, maxTokens=100)
    sent = await soak.run(SEND, "ask", input={"sessionId": session, "content": f"What is word{choice.random()}?"})
    if "answer" not in sent:
        return
    id = sent["answer"]["id"]
    left = choice.choice([1, 3, 1_000_000])
    async with soak.client.socket() as socket, aclosing(subscribe(socket, EVENTS, id=id)) as events:
        async for event in events:
            if event["__typename"] == "AnswerFailed" and event["failure"]["code"] == "INTERNAL":
                soak.strange[f"answer of {name}: {event['failure']['message']}"] += 1
            left -= 1
            if not left:
                socket.transport.abort()
                return


async def _ask_by_openai(soak: Soak, choice: random.Random, project: str, _: list[str]) -> None:
    """Ask over the OpenAI API, streaming or not, and sometimes leave early."""
    body = {
        "model": f"openai/{choice.choice(MODELS)}",
        "messages": [{"role": "user", "content": "Well?"}],
        "max_tokens": 100,
        "stream": choice.random() < 0.7,
    }
    leaves = choice.random() < 0.4
    async with soak.client.http.stream("POST", f"{soak.root}/v1/chat/completions", json=body) as response:
        if response.status_code not in CONTRACT:
            soak.strange[f"{body['model']} by the OpenAI API: {response.status_code}"] += 1
        async for data in response.aiter_bytes():
            if b"internal_error" in data:
                soak.strange[f"{body['model']} by the OpenAI API: {data[:200]!r}"] += 1
            if leaves:
                return


async def _add(soak: Soak, choice: random.Random, project: str, documents: list[str]) -> None:
    text = " ".join(f"word{choice.randrange(5000)}" for _ in range(choice.choice([50, 500, 5000])))
    values = {"projectId": project, "title": f"Number {choice.random()}", "text": text}
    added = await soak.run(ADD_TEXT, "add", input=values)
    if "document" in added:
        documents.append(added["document"]["id"])


async def _delete(soak: Soak, choice: random.Random, _: str, documents: list[str]) -> None:
    if documents:
        id = documents.pop(choice.randrange(len(documents)))
        await soak.run(DELETE, "delete", input={"id": id})


async def _search(soak: Soak, choice: random.Random, project: str, _: list[str]) -> None:
    await soak.run(SEARCH, "search", input={"projectId": project, "query": f"word{choice.randrange(5000)}"})


async def _deaf(soak: Soak, choice: random.Random, project: str, documents: list[str]) -> None:
    """Start subscriptions and read none of them."""
    async with soak.client.socket() as socket:
        socket.transport.pause_reading()
        query = "subscription($id: ID) { ingestionEvents(projectId: $id) { sequence } }"
        for number in range(20):
            await start(socket, str(number), query, id=project)
        await _add(soak, choice, project, documents)
        socket.transport.abort()


async def _large(soak: Soak, _: random.Random, __: str, ___: list[str]) -> None:
    """Send a body over the limit."""
    body = json.dumps({"messages": [{"role": "user", "content": "hi"}], "x": [[]] * 200_000})
    headers = {"content-type": "application/json"}
    soak.check(
        await soak.client.http.post(f"{soak.root}/v1/chat/completions", content=body, headers=headers), "a large body"
    )


Work = Callable[[Soak, random.Random, str, list[str]], Awaitable[None]]
WORK: list[Work] = [_ask, _ask, _ask_by_openai, _ask_by_openai, _add, _add, _delete, _search, _search, _deaf, _large]
