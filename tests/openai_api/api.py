"""Shared by tests of the OpenAI API: a server with a project of documents, and a model server with raw responses."""

import json
import threading
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.graphql.client import Client
from tests.servers.openai import CHAT, OpenAIServer
from tests.servers.running import Body, Fault, StandIn, stalled

Json = Any
KAITO = """# KAITO

KAITO is a Kubernetes operator for AI workloads. Install KAITO with Helm.

## GPU support

KAITO has GPU support for NVIDIA nodes."""
QUESTION = "What is KAITO?"
ABSENT = "Who won the chess championship?"


class RawServer(OpenAIServer):
    """Answers chat requests with the raw result of `reply`: one object, or the chunks of a stream."""

    def __init__(self, reply: Callable[[Body], Json], *, faults: Iterable[Fault] = ()) -> None:
        super().__init__(faults=faults)
        self._reply = reply
        self.stalls = False
        """Whether no answer ever begins."""
        self.asked = threading.Event()

    def routes(self) -> list[Route]:
        return [
            Route(CHAT, self._raw, methods=["POST"]),
            *(route for route in super().routes() if route.path != CHAT),
        ]

    async def _raw(self, request: Request) -> Response:
        body = await self.record(request)
        self.asked.set()
        if self.stalls:
            try:
                await stalled(request)
            except ClientDisconnect:
                self.left.set()
                return JSONResponse(None)
        reply = self._reply(body)
        if not body.get("stream"):
            return JSONResponse(reply)
        return self.stream(request, _events(reply), "text/event-stream")


async def _events(chunks: Sequence[Json]) -> AsyncGenerator[bytes]:
    for chunk in chunks:
        yield f"data: {json.dumps(chunk)}\n\n".encode()
    yield b"data: [DONE]\n\n"


@dataclass
class OpenAIAPI:
    """A server's OpenAI API, with the project "Docs", which holds KAITO."""

    http: httpx.AsyncClient
    url: str
    project: str = ""

    @property
    def base(self) -> str:
        """The base URL for clients."""
        return f"{self.url}/v1"

    @property
    def graphql(self) -> Client:
        """The GraphQL API of the same server."""
        return Client(self.http, self.url)

    async def fill(self, *texts: str) -> None:
        """Make the project, with these documents."""
        self.project = await self.graphql.project("Docs")
        for number, text in enumerate(texts):
            await self.graphql.ready(self.project, f"Document {number}", text)

    async def find(self) -> None:
        """Use the existing project."""
        found = await self.graphql.run("{ projects { edges { node { id name } } } }")
        self.project = next(edge["node"]["id"] for edge in found["projects"]["edges"] if edge["node"]["name"] == "Docs")

    async def post(self, body: Json) -> httpx.Response:
        """The response to a chat request."""
        headers = {"content-type": "application/json"}
        return await self.http.post(f"{self.base}/chat/completions", content=json.dumps(body), headers=headers)

    async def ask(self, question: str | Sequence[Json] = QUESTION, **fields: Json) -> httpx.Response:
        """Ask a question, or send messages, about the project."""
        messages = [{"role": "user", "content": question}] if isinstance(question, str) else question
        return await self.post({"model": "openai/chat", "index_name": "Docs", "messages": messages, **fields})

    async def raw(self, method: str, path: str, **sent: Json) -> httpx.Response:
        """The response to any request."""
        return await self.http.request(method, f"{self.base}{path}", **sent)


def settings(model: StandIn, **more: Json) -> Json:
    """Settings of a server that answers with the stand-in's `chat`."""
    return {"openai_base_url": model.url, "openai_api_key": "sk-very-secret", "chat_model": "openai/chat", **more}


def events(response: httpx.Response) -> list[Json]:
    """All events of a stream; `[DONE]` stays a string."""
    assert response.headers["content-type"].startswith("text/event-stream"), response.text
    found = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
    return [event if event == "[DONE]" else json.loads(event) for event in found]


def error(response: httpx.Response, status: int) -> Json:
    """The error of a response of this status, in the shape of the API."""
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"message", "type", "param", "code"}
    assert "sk-very-secret" not in response.text
    return body["error"]


def text(chunks: Sequence[Json]) -> str:
    """The text of a stream's chunks."""
    return "".join(
        choice["delta"].get("content") or "" for chunk in chunks if chunk != "[DONE]" for choice in chunk["choices"]
    )


def user(content: Json) -> Json:
    """A message of a user."""
    return {"role": "user", "content": content}


def assistant(content: Json) -> Json:
    """A message of the model."""
    return {"role": "assistant", "content": content}
