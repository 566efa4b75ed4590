"""The scenario of `programs/scenario.mjs` with the Python client `gql`: HTTP, and a WebSocket for subscriptions."""

import io
from typing import Any

import httpx
from gql import Client, FileVar, GraphQLRequest
from gql.transport.exceptions import TransportQueryError
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.websockets import WebsocketsTransport

Json = Any

PROJECT = """mutation($input: CreateProjectInput!) { createProject(input: $input) { __typename
  ... on CreateProjectPayload { project { id name } } ... on ValidationError { message issues { path code } } } }"""
CHAT = """mutation($input: CreateChatSessionInput!) { createChatSession(input: $input) {
  ... on CreateChatSessionPayload { chatSession { id } } } }"""
ASK = """mutation($input: SendMessageInput!) { sendMessage(input: $input) {
  ... on SendMessagePayload { answer { id } } } }"""
UPLOAD = """mutation($input: UploadDocumentInput!) { uploadDocument(input: $input) { __typename
  ... on UploadDocumentPayload { document { id title mediaType } } } }"""
FOLLOW = """subscription($id: ID!, $after: Int!) { answerEvents(messageId: $id, after: $after) { __typename sequence
  ... on AnswerDelta { text } ... on AnswerCompleted { message { id content status } } } }"""
MESSAGE = "query($id: ID!) { message(id: $id) { id content status } }"

READ_BEFORE_LEAVING = 4


class Player:
    """One client of one server."""

    def __init__(self, url: str, model: str) -> None:
        self.url, self.model = f"{url}/graphql", model

    async def play(self, name: str, question: str) -> Json:
        """The result of each part of the scenario."""
        found: Json = {"query": await self.request("{ viewer { user { email } } }")}
        found["mutation"] = await self.request(PROJECT, input={"name": name})
        found["typed"] = await self.request(PROJECT, input={"name": ""})
        found["invalid"] = await self.request("{ nothing }")
        found["failed"] = await self.request("query($n: Int) { projects(first: $n) { nodes { id } } }", n=1000)
        project = found["mutation"]["data"]["createProject"]["project"]["id"]
        file = FileVar(
            io.BytesIO(b"# Tides\n\nThe tide turns twice a day."), filename="tides.md", content_type="text/markdown"
        )
        found["upload"] = await self.request(UPLOAD, input={"projectId": project, "file": file}, files=True)
        found["refused"] = await self.refused()
        chat = await self.request(CHAT, input={"projectId": project, "enableRag": False})
        session = chat["data"]["createChatSession"]["chatSession"]["id"]
        asked = await self.request(ASK, input={"sessionId": session, "content": question})
        answer = asked["data"]["sendMessage"]["answer"]["id"]
        found["resumed"] = await self.resumed(answer)
        found["message"] = await self.request(MESSAGE, id=answer)
        return found

    async def request(self, query: str, /, *, files: bool = False, **variables: Json) -> Json:
        """One operation over HTTP."""
        transport = HTTPXAsyncTransport(self.url, headers={"GraphQL-Require-Preflight": "1"})
        async with Client(transport=transport) as session:
            try:
                return {
                    "data": await session.execute(GraphQLRequest(query, variable_values=variables), upload_files=files)
                }
            except TransportQueryError as error:
                return {"data": error.data, "errors": error.errors}

    def socket(self) -> Client:
        """A client on its own socket."""
        return Client(transport=WebsocketsTransport(self.url.replace("http", "ws", 1)))

    async def refused(self) -> Json:
        """The result of subscribing to an unknown id."""
        request = GraphQLRequest(FOLLOW, variable_values={"id": "nothing", "after": 0})
        async with self.socket() as session:
            try:
                async for _ in session.subscribe(request):
                    pass
            except TransportQueryError as error:
                return {"errors": error.errors}
        return {"errors": []}

    async def resumed(self, answer: str) -> Json:
        """The answer, followed over sockets that are dropped every few events."""
        events: list[Json] = []
        connections = 0
        async with httpx.AsyncClient() as more:
            while not events or events[-1]["__typename"] != "AnswerCompleted":
                connections += 1
                await self._read_on(answer, events, more)
        return {"events": events, "connections": connections}

    async def _read_on(self, answer: str, events: list[Json], more: httpx.AsyncClient) -> None:
        after = events[-1]["sequence"] if events else 0
        read = 0
        async with self.socket() as session:
            async for result in session.subscribe(
                GraphQLRequest(FOLLOW, variable_values={"id": answer, "after": after})
            ):
                events.append(result["answerEvents"])
                if events[-1]["__typename"] == "AnswerDelta":
                    await more.post(f"{self.model}/more")
                read += 1
                if read == READ_BEFORE_LEAVING:
                    return
