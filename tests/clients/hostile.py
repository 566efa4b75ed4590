"""Attack a server and measure what a neighbor gets meanwhile. As a program, it prints figures.

python -m tests.clients.hostile
"""

import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.graphql.client import Client
from tests.processes.test_several_processes import Server, serving

OPERATIONS = 2_500
# Fewer than one socket may run at a time.
AT_ONCE = 20
SLOW = 100
# How long the server waits for a request: the slow ones are over soon, and those of twenty attackers at once arrive in
# far less, also on a busy machine.
REQUEST_SECONDS = 10
# Longer than anything here takes; only a server that waits for ever lets this pass.
PATIENCE = 90

# An operation beyond what one socket may run at a time.
REFUSED = "refused"
CLOSED = "closed"

Json = Any
Attack = Callable[[Client], Awaitable[list[str]]]


@dataclass(frozen=True)
class Outcome:
    """The codes an attack received, and its effect on a neighbor and on the server."""

    codes: list[str]
    neighbor_ms: list[float]
    seconds: float
    cpu_seconds: float
    memory_growth: int
    """In bytes."""


async def under(attack: Attack, server: Server) -> Outcome:
    """Run an attack while a neighbor, who must be served, keeps asking."""
    times: list[float] = []

    async def neighbor(client: Client) -> None:
        while True:
            start = time.perf_counter()
            assert await client.run("{ viewer { user { email } } }") == {
                "viewer": {"user": {"email": "owner@localhost"}}
            }
            times.append((time.perf_counter() - start) * 1000)

    limits = httpx.Limits(max_connections=20)
    async with (
        httpx.AsyncClient(timeout=PATIENCE, limits=limits) as http,
        httpx.AsyncClient(timeout=PATIENCE) as other,
        asyncio.timeout(PATIENCE),
    ):
        start, cpu, memory = time.perf_counter(), cpu_seconds(server), memory_bytes(server)
        asking = asyncio.create_task(neighbor(Client(other, server.url)))
        codes = await attack(Client(http, server.url))
        seconds = time.perf_counter() - start
        while not times:
            await asyncio.wait([asking], timeout=0.01)
        asking.cancel()
        await asyncio.wait([asking])
        if not asking.cancelled():
            asking.result()
    return Outcome(codes, times, seconds, cpu_seconds(server) - cpu, memory_bytes(server) - memory)


async def refused(client: Client, documents: list[str], **variables: Json) -> list[str]:
    """Send documents all at once, and return each one's error codes or data."""
    responses = await asyncio.gather(*(client.post(document, **variables) for document in documents))
    return [code for response in responses for code in codes_of(response.json())]


def codes_of(result: Json) -> list[str]:
    """A result as a list of codes."""
    return [error["extensions"]["code"] for error in result.get("errors", [])] or [json.dumps(result["data"])]


async def fragment_bombs(client: Client) -> list[str]:
    """One-kilobyte documents that expand to 2^40 fields."""
    fragments = [f"fragment F{i} on Query {{ ...F{i + 1} ...F{i + 1} }}" for i in range(40)]
    bomb = " ".join(["{ ...F0 }", *fragments, "fragment F40 on Query { health { version } }"])
    return await refused(client, [f"{bomb} # {i}" for i in range(50)])


async def aliases(client: Client) -> list[str]:
    """10,000 aliases of one field, within the document size limit and beyond it."""
    return await refused(
        client,
        [
            "{ " + " ".join(f"a{i}:__typename" for i in range(count)) + f" }} # {i}"
            for count in (1_000, 10_000)
            for i in range(10)
        ],
    )


async def nesting(client: Client) -> list[str]:
    """Deeply nested fields, lists and objects."""
    shapes = ["{ a" * 5_000 + "}" * 5_000, "{ node(id: " + "[" * 9_000 + "]" * 9_000 + ") { id } }"]
    return await refused(client, [f"{shape} # {i}" for shape in shapes for i in range(10)])


async def variables(client: Client) -> list[str]:
    """100,000 variables, and values nested 1,000 deep."""
    many = await refused(client, ["query Q { __typename }"] * 10, value=[0] * 100_000)
    return many + await refused(client, ["query Q { __typename }"] * 10, value=json.loads("[" * 900 + "]" * 900))


async def flood(client: Client) -> list[str]:
    """Thousands of operations on one socket, sent without waiting."""
    return await operations(client, OPERATIONS)


async def patient_flood(client: Client) -> list[str]:
    """Thousands of operations on one socket, staying within its limit of running operations."""
    return await operations(client, AT_ONCE)


async def operations(client: Client, at_once: int) -> list[str]:
    """The outcome of each of many operations on one socket."""
    found: dict[str, str] = {}
    room = asyncio.Semaphore(at_once)
    async with client.socket() as socket:

        async def send() -> None:
            for i in range(OPERATIONS):
                await room.acquire()
                payload = {"query": "{ __typename }"}
                await socket.send(json.dumps({"type": "subscribe", "id": str(i), "payload": payload}))

        sending = asyncio.create_task(send())
        ended = 0
        while ended < OPERATIONS:
            message = json.loads(await socket.recv())
            if message["type"] == "ping":  # a busy machine takes longer than the server waits
                await socket.send(json.dumps({"type": "pong"}))
            elif message["type"] == "next":
                [found[message["id"]]] = codes_of(message["payload"])
            elif message["type"] == "error":
                found[message["id"]] = REFUSED
            if message["type"] in ("complete", "error"):
                ended += 1
                room.release()
        await sending
    assert len(found) == OPERATIONS
    return list(found.values())


async def slow_bodies(client: Client) -> list[str]:
    """Many connections that send their bodies byte by byte."""
    host, port = client.url.removeprefix("http://").removesuffix("/graphql").split(":")

    async def drip() -> str:
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            head = "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: 9000\r\n\r\n{{".encode())
            answer = asyncio.ensure_future(reader.read())
            while not answer.done():
                writer.write(b" ")
                await asyncio.wait([answer], timeout=0.2)
            return answer.result().split(b" ")[1].decode()
        except ConnectionResetError:  # a byte crossed the server's goodbye
            return CLOSED
        finally:
            writer.close()

    return list(await asyncio.gather(*(drip() for _ in range(SLOW))))


ATTACKS: list[Attack] = [fragment_bombs, aliases, nesting, variables, flood, patient_flood, slow_bodies]


def hardened(folder: Path) -> dict[str, str]:
    """The environment of the server under attack."""
    values = {"DATABASE_URL": f"sqlite:///{folder}/footnote.db", "REQUEST_SECONDS": str(REQUEST_SECONDS)}
    return {**os.environ, **values}


def memory_bytes(server: Server) -> int:
    """The server's resident memory; 0 where the system does not report it."""
    statm = Path(f"/proc/{server.process.pid}/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def cpu_seconds(server: Server) -> float:
    """The server's CPU time so far; 0 where the system does not report it."""
    stat = Path(f"/proc/{server.process.pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print the cost of each attack, measured on its second run."""
    with tempfile.TemporaryDirectory() as folder, serving(hardened(Path(folder))) as server:
        for attack in ATTACKS:
            asyncio.run(under(attack, server))
        print(f"{'attack':<16}{'requests':>9}{'s':>8}{'CPU s':>8}{'MB':>8}{'neighbor: times':>18}{'ms':>8}{'worst':>8}")
        for attack in ATTACKS:
            found = asyncio.run(under(attack, server))
            times = found.neighbor_ms
            print(
                f"{getattr(attack, '__name__', ''):<16}{len(found.codes):>9}{found.seconds:>8.2f}"
                f"{found.cpu_seconds:>8.2f}{memory_bytes(server) / 1e6:>8.0f}"
                f"{len(times):>18}{statistics.median(times):>8.1f}{max(times):>8.1f}"
            )


if __name__ == "__main__":
    main()
