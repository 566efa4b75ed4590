"""A GraphQL client over HTTP and graphql-transport-ws."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

Json = Any

CREATE_PROJECT = """mutation($input: CreateProjectInput!) { createProject(input: $input) {
  __typename ... on CreateProjectPayload { project { id } } ... on Error { message } } }"""
ADD_TEXT = """mutation($input: AddTextDocumentInput!) { addTextDocument(input: $input) {
  __typename ... on AddTextDocumentPayload { unchanged document { id status version } } ... on Error { message }
  ... on ValidationError { issues { path code } } } }"""
CREATE_SESSION = """mutation($input: CreateChatSessionInput!) { createChatSession(input: $input) {
  __typename ... on CreateChatSessionPayload { chatSession { id } } ... on Error { message } } }"""
SEND = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on SendMessagePayload { question { id status } answer { id status } } ... on Error { message }
  ... on ConflictError { conflicting { __typename id } } } }"""
INGESTION = """subscription($document: ID, $project: ID, $after: Int! = 0) {
  ingestionEvents(documentId: $document, projectId: $project, after: $after) { __typename sequence documentId
    ... on IngestionProgressed { stage chunksDone chunksTotal }
    ... on IngestionCompleted { document { id status title } }
    ... on IngestionFailed { failure { code message retryable } } } }"""
EVENTS = """subscription($id: ID!, $after: Int! = 0) { answerEvents(messageId: $id, after: $after) {
  __typename sequence messageId
  ... on QueryReformulated { original searchQuery }
  ... on NoticeGiven { notice { code } }
  ... on RetrievalCompleted { searchQuery tookMs passages { documentTitle text score chunk { id } } }
  ... on AnswerDelta { text content }
  ... on CitationAdded { citation { index label quote } }
  ... on AnswerReplaced { content outcome }
  ... on AnswerCompleted { message { status content outcome } }
  ... on AnswerCancelled { message { status content } }
  ... on AnswerFailed { failure { code message retryable } message { status content } } } }"""


class Client:
    """One server's GraphQL address."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self.http = http
        self.url = f"{url}/graphql"

    async def post(self, query: str, /, **variables: Json) -> httpx.Response:
        """The response to an operation."""
        return await self.http.post(self.url, json={"query": query, "variables": variables})

    async def run(self, query: str, /, **variables: Json) -> Json:
        """The data of an operation without errors."""
        response = await self.post(query, **variables)
        result = response.json()
        assert response.status_code == 200, result
        assert "errors" not in result, result["errors"]
        return result["data"]

    async def errors(self, query: str, /, **variables: Json) -> list[Json]:
        """The top-level errors of an operation."""
        return (await self.post(query, **variables)).json()["errors"]

    async def mutate(self, query: str, /, **values: Json) -> Json:
        """The payload or error of a mutation with one `input`."""
        return next(iter((await self.run(query, input=values)).values()))

    async def project(self, name: str) -> str:
        """A new project's id."""
        return (await self.mutate(CREATE_PROJECT, name=name))["project"]["id"]

    async def session(self, project: str, **settings: Json) -> str:
        """A new chat session's id."""
        return (await self.mutate(CREATE_SESSION, projectId=project, **settings))["chatSession"]["id"]

    async def ready(self, project: str, title: str, text: str, **values: Json) -> str:
        """Add a document, wait until it is searchable, and return its id."""
        added = await self.mutate(ADD_TEXT, projectId=project, title=title, text=text, **values)
        document = added["document"]["id"]
        happened = await self.follow(INGESTION, document=document)
        assert happened[-1]["__typename"] == "IngestionCompleted", happened
        return document

    async def answered(self, session: str, question: str, **values: Json) -> str:
        """Ask, wait for the answer to end, and return its id."""
        sent = await self.mutate(SEND, sessionId=session, content=question, **values)
        answer = sent["answer"]["id"]
        await self.follow(EVENTS, id=answer)
        return answer

    async def follow(self, query: str, /, **variables: Json) -> list[Json]:
        """All events of a subscription that ends on its own."""
        async with self.socket() as socket:
            return [event async for event in subscribe(socket, query, **variables)]

    @asynccontextmanager
    async def socket(self, **headers: str) -> AsyncGenerator[ClientConnection]:
        """A socket after its handshake."""
        async with self.raw_socket(**headers) as socket:
            await socket.send(json.dumps({"type": "connection_init"}))
            assert (await received(socket))["type"] == "connection_ack"
            yield socket

    @asynccontextmanager
    async def raw_socket(self, **headers: str) -> AsyncGenerator[ClientConnection]:
        """A socket before its handshake, with the same credential as requests."""
        headers = {name.lower(): value for name, value in headers.items()}
        if credential := self.http.headers.get("authorization"):
            headers.setdefault("authorization", credential)
        url = self.url.replace("http", "ws", 1)
        protocols = [Subprotocol("graphql-transport-ws")]
        async with connect(url, subprotocols=protocols, additional_headers=headers) as socket:
            yield socket


async def start(socket: ClientConnection, id: str, query: str, /, **variables: Json) -> None:
    """Begin an operation."""
    payload = {"query": query, "variables": variables}
    await socket.send(json.dumps({"type": "subscribe", "id": id, "payload": payload}))


async def received(socket: ClientConnection) -> Json:
    """The next message other than a ping."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] != "ping":
            return message
        await socket.send(json.dumps({"type": "pong"}))


async def subscribe(socket: ClientConnection, query: str, /, **variables: Json) -> AsyncGenerator[Json]:
    """The events of one operation on its own socket."""
    await start(socket, "1", query, **variables)
    while (message := await received(socket))["type"] == "next":
        assert "errors" not in message["payload"], message
        yield next(iter(message["payload"]["data"].values()))
    assert message == {"type": "complete", "id": "1"}, message
