"""People who ask and read through several servers, and go on elsewhere when one fails them."""

import asyncio
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

from tests.graphql.client import CREATE_SESSION, SEND, received, start

Json = dict[str, Any]

_EVENTS = """subscription($id: ID!, $after: Int! = 0) { answerEvents(messageId: $id, after: $after) {
  __typename sequence ... on AnswerDelta { text } ... on AnswerReplaced { content }
  ... on AnswerFailed { failure { code } } } }"""
_MESSAGE = "query($id: ID!) { message(id: $id) { status content failure { code } } }"
_PAUSE_SECONDS = 0.25
_LAST = {"AnswerCompleted", "AnswerCancelled", "AnswerFailed"}
# What a client tries again, elsewhere.
_PASSING = {"UnavailableError", "RateLimitedError"}


class Refused(Exception):
    """A server did not do what was asked, but another one may, or the same one later."""


@dataclass
class Reading:
    """What one reader got of one answer."""

    answer: str
    session: str
    began_at: int
    sequences: list[int] = field(default_factory=list[int])
    text: str = ""
    end: str = ""
    failure: str | None = None
    servers: list[int] = field(default_factory=list[int])
    stored: Json = field(default_factory=dict[str, Any])


class Crowd:
    """Asks and reads. `urls` are the addresses of the servers, without a path."""

    def __init__(self, urls: Sequence[str]) -> None:
        self.urls = list(urls)
        limits = httpx.Limits(max_connections=400)
        self._http = httpx.AsyncClient(timeout=30, limits=limits)
        self.readings: list[Reading] = []
        self.refusals = 0
        """How often somebody had to try again."""

    async def close(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def converse(self, number: int, project: str, turns: int, **options: Any) -> None:
        """Ask some questions in a session of one's own, and read each answer through another server."""
        places = itertools.count(number)
        values = {"projectId": project, **options}
        created = await self._insist(places, CREATE_SESSION, values)
        session: str = created["chatSession"]["id"]
        for turn in range(turns):
            key = f"{number}-{turn}"
            question = {"sessionId": session, "content": f"Count, please ({key}).", "idempotencyKey": key}
            sent = await self._insist(places, SEND, question)
            at = (next(places) - 1) % len(self.urls)
            reading = Reading(sent["answer"]["id"], session, at)
            self.readings.append(reading)
            await self._read(reading, places)

    async def _insist(self, places: "itertools.count[int]", query: str, values: Json) -> Json:
        """The payload of a mutation, asked at one server after the other until one accepts it."""
        while True:
            try:
                return await self._mutate(next(places) % len(self.urls), query, values)
            except (Refused, httpx.HTTPError):
                self.refusals += 1
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _mutate(self, at: int, query: str, values: Json) -> Json:
        body = {"query": query, "variables": {"input": values}}
        result = (await self._http.post(f"{self.urls[at]}/graphql", json=body)).json()
        if "errors" in result:
            raise Refused(result["errors"])
        payload = next(iter(result["data"].values()))
        if payload["__typename"] in _PASSING:
            raise Refused(payload)
        assert payload["__typename"].endswith("Payload"), payload
        return payload

    async def _read(self, reading: Reading, places: "itertools.count[int]") -> None:
        """Follow an answer to its end, from the next server on; `after` is what has been received."""
        while not reading.end:
            at = next(places) % len(self.urls)
            reading.servers.append(at)
            try:
                await self._follow(reading, at)
            except (Refused, OSError, WebSocketException, InvalidHandshake):
                self.refusals += 1
                await asyncio.sleep(_PAUSE_SECONDS)

    async def _follow(self, reading: Reading, at: int) -> None:
        url = f"{self.urls[at]}/graphql".replace("http", "ws", 1)
        async with connect(url, subprotocols=[Subprotocol("graphql-transport-ws")], open_timeout=10) as socket:
            await socket.send(json.dumps({"type": "connection_init"}))
            await received(socket)
            after = reading.sequences[-1] if reading.sequences else 0
            await start(socket, "1", _EVENTS, id=reading.answer, after=after)
            await _take_events(reading, socket)

    async def look_at_stored(self) -> None:
        """What the database has of each answer."""
        for reading in self.readings:
            body = {"query": _MESSAGE, "variables": {"id": reading.answer}}
            for url in itertools.cycle(self.urls):
                try:
                    result = (await self._http.post(f"{url}/graphql", json=body)).json()
                except httpx.HTTPError:
                    continue
                reading.stored = result["data"]["message"]
                break


async def _take_events(reading: Reading, socket: ClientConnection) -> None:
    while (message := await received(socket))["type"] == "next":
        if message["payload"].get("errors"):
            raise Refused(message["payload"]["errors"])
        event: Json = message["payload"]["data"]["answerEvents"]
        reading.sequences.append(event["sequence"])
        reading.text = event.get("content", reading.text) + event.get("text", "")
        if event["__typename"] in _LAST:
            reading.end = event["__typename"]
            reading.failure = event["failure"]["code"] if "failure" in event else None
    if not reading.end:
        raise Refused(message)
