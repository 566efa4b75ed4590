"""Send the odd values one request at a time, and collect the responses that break the contract."""

import asyncio
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx
from websockets.exceptions import ConnectionClosedError

from tests.fuzz import values
from tests.graphql.client import Client, Json, received
from tests.graphql.schema.places import Place, places
from tests.graphql.schema.walking import SCHEMA

EXPECTED = {
    *("BAD_USER_INPUT", "NOT_FOUND", "FORBIDDEN", "CONFLICT", "UNAVAILABLE", "RATE_LIMITED", "QUERY_TOO_EXPENSIVE"),
}
# What these take away is needed for the rest.
_TAKE_AWAY = ("delete", "remove", "revoke")
# What a client is told when something of ours breaks.
_INTERNAL = re.compile("Something went wrong on our side|An internal error occurred")
_LARGEST = 500_000
_NO_JSON, _TOO_LARGE = 4400, 1009


@dataclass
class Report:
    """The number of requests, and what went wrong."""

    requests: int = 0
    codes: dict[str, int] = field(default_factory=dict[str, int])
    wrong: list[str] = field(default_factory=list[str])

    def count(self, code: str) -> None:
        """One more with this outcome."""
        self.codes[code] = self.codes.get(code, 0) + 1

    def check_graphql(self, what: str, status: int, text: str) -> None:
        """Record a result that is neither an answer nor an expected error."""
        self.requests += 1
        try:
            result: Json = json.loads(text, parse_constant=_no_constant)
        except ValueError:
            self.wrong.append(f"{what}: {status}, no JSON: {text[:200]!r}")
            return
        told: list[Json] = result.get("errors") or []
        found = [str(_code(error)) for error in told]
        for code in found or ["OK"]:
            self.count(f"{status} {code}")
        if status not in (200, 400, 413) or not EXPECTED.issuperset(found) or _INTERNAL.search(text):
            self.wrong.append(f"{what}: {status} {text[:600]}")
        if len(text) > _LARGEST:
            self.wrong.append(f"{what}: an answer of {len(text):,} characters")

    def check_openai(self, what: str, status: int, text: str) -> None:
        """Record an OpenAI API response that is unexpected; no 5xx is expected."""
        self.requests += 1
        self.count(str(status))
        if status >= 500 or _INTERNAL.search(text) or "INTERNAL" in text:
            self.wrong.append(f"{what}: {status} {text[:600]}")


async def known_ids(client: Client) -> dict[str, str]:
    """One id of each kind, from a project with a document and a turn."""
    project = await client.project("fuzz")
    document = await client.ready(project, "Larks", "# Larks\n\nLarks sing at dawn.\n")
    session = await client.session(project)
    answer = await client.answered(session, "When do larks sing?")
    query = "query($i: ID!) { document(id: $i) { chunks { nodes { id } } } viewer { user { id } } }"
    read = await client.run(query, i=document)
    kinds = {"Project": project, "Document": document, "ChatSession": session, "Message": answer}
    return {**kinds, "Chunk": read["document"]["chunks"]["nodes"][0]["id"], "User": read["viewer"]["user"]["id"]}


async def fuzz_graphql(url: str, random: random.Random, count: int) -> Report:
    """Send `count` odd values to the schema's arguments in rotation."""
    report = Report()
    async with httpx.AsyncClient(timeout=120) as http:
        client = Client(http, url)
        known = await known_ids(client)
        every = list(places(SCHEMA, known))
        turns = [every[number % len(every)] for number in range(count)]
        cases = [(place, random.choice(_values(known, place))) for place in turns]
        await asyncio.gather(*(_send_all(client, cases[part::4], report) for part in range(4)))
        report.check_graphql("at the end", *await _asked(client, "{ health { status } }", {}))
    return report


def _values(known: dict[str, str], place: Place) -> list[Json]:
    field = place.name.partition(".")[2]
    return values.ODD if field.startswith(_TAKE_AWAY) else [*values.ODD, *known.values(), list(known.values())]


async def _send_all(client: Client, cases: Sequence[tuple[Place, Json]], report: Report) -> None:
    for place, value in cases:
        what = f"{place.name} = {repr(value)[:100]}"
        variables = place.variables_with(value)
        if place.operation == "subscription":
            report.check_graphql(what, 200, await _heard(client, place.text, variables))
        elif '"file"' in json.dumps(variables):
            response = await place.send(client, variables)
            report.check_graphql(what, response.status_code, response.text)
        else:
            report.check_graphql(what, *await _asked(client, place.text, variables))


async def _asked(client: Client, query: str, variables: Json) -> tuple[int, str]:
    body = values.encoded({"query": query, "variables": variables})
    response = await client.http.post(client.url, content=body, headers={"content-type": "application/json"})
    return response.status_code, response.text


async def _heard(client: Client, query: str, variables: Json) -> str:
    try:
        return await _listened(client, query, variables)
    except ConnectionClosedError as closed:  # what is no JSON, or too large, ends the socket with a code that says so
        code = closed.rcvd.code if closed.rcvd else None
        told = "BAD_USER_INPUT" if code in (_NO_JSON, _TOO_LARGE) else f"closed with {code}"
        return json.dumps({"errors": [{"extensions": {"code": told}}]})


async def _listened(client: Client, query: str, variables: Json) -> str:
    """The first message of a subscription, or nothing if a query sent after it finishes first."""
    async with client.socket() as socket:
        for id, payload in (("1", {"query": query, "variables": variables}), ("2", {"query": "{ health { status } }"})):
            await socket.send(values.encoded({"type": "subscribe", "id": id, "payload": payload}).decode())
        while True:
            message = await received(socket)
            if message.get("type") == "error" and message["id"] == "1":
                return json.dumps({"errors": message["payload"]})
            if message["type"] == "next" and (message["id"] == "2" or "errors" in message["payload"]):
                return json.dumps(message["payload"])


async def fuzz_openai(url: str, random: random.Random, count: int) -> Report:
    """`count` chat requests with an odd value each, in both of their forms, and a model of each odd name."""
    report = Report()
    async with httpx.AsyncClient(timeout=120) as http:
        await Client(http, url).ready(await Client(http, url).project("fuzz"), "Larks", "Larks sing at dawn.")
        bodies = list(values.chat_bodies(random, count))

        async def send(some: Sequence[Json]) -> None:
            for body in some:
                for form, sent in (("chat/completions", body), ("responses", values.as_response_body(body))):
                    response = await http.post(
                        f"{url}/v1/{form}", content=values.encoded(sent), headers={"content-type": "application/json"}
                    )
                    report.check_openai(f"{form} {sent!r:.300}", response.status_code, response.text)

        await asyncio.gather(*(send(bodies[part::4]) for part in range(4)))
        for name in (text for text in values.TEXTS if len(text) < 1000):
            path = name.encode("utf-8", "surrogatepass").hex("%", 1)
            response = await http.get(f"{url}/v1/models/{f'%{path}' if path else ''}")
            report.check_openai(f"model {name[:50]!r}", response.status_code, response.text)
    return report


def _code(error: Json) -> Json:
    return error.get("extensions", {}).get("code")


def _no_constant(name: str) -> float:
    raise ValueError(name)


def run(url: str, seed: int, count: int, *, openai: bool) -> Report:
    """One of the two, from the start."""
    numbers = random.Random(seed)  # noqa: S311
    return asyncio.run((fuzz_openai if openai else fuzz_graphql)(url, numbers, count))
