"""Compare the GraphQL API with Strawberry's own view, with and without caches: throughput and cost per request."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from tests.bench.measured import Row

_PEERS = {"caches": "Strawberry with its caches", "stock": "stock Strawberry"}
_KINDS = ("ours", *_PEERS)
_QUERIES = {"trivial": "{ version }", "nested": "{ branches { id leaves { id name } } }"}
_CONNECTIONS = 8
_REQUESTS = 2000
_MESSAGES = 10_000
_ROUNDS = 3


@dataclass
class Figures:
    """The server's CPU time per operation in µs, and the operations per second."""

    cpu: float
    rate: float


async def measure() -> list[Row]:
    """Measure each kind in turn, several times, and keep the best round: noise only ever adds time."""
    rows: list[Row] = []
    with ExitStack() as stack:
        ports = {kind: stack.enter_context(_served(kind)) for kind in _KINDS}
        for name, query in _QUERIES.items():
            rows += await _compared(f"{name} query", {kind: _Requests(ports[kind], query) for kind in _KINDS})
        for count in (1, 200):
            work = {kind: _Messages(ports[kind], count) for kind in _KINDS}
            rows += await _compared(f"message, {count} subscriptions", work)
    return rows


async def _compared(name: str, work: Mapping[str, "_Requests | _Messages"]) -> list[Row]:
    best: dict[str, Figures] = {}
    for _ in range(_ROUNDS):
        for kind, one in work.items():
            figures = await one.run()
            if kind not in best or figures.cpu < best[kind].cpu:
                best[kind] = figures
    ours = best["ours"]
    measured = f"{ours.cpu:.0f} µs CPU, {ours.rate:,.0f} /s"
    return [
        Row(name, measured, f"{peer} {best[kind].cpu:.0f} µs", ours.cpu / best[kind].cpu)
        for kind, peer in _PEERS.items()
    ]


class _Requests:
    """Requests over a few persistent connections."""

    def __init__(self, port: int, query: str) -> None:
        self._port = port
        body = json.dumps({"query": query}).encode()
        self._request = (
            f"POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )

    async def run(self) -> Figures:
        """One round."""
        await asyncio.gather(*(self._ask(20) for _ in range(_CONNECTIONS)))
        before, began = await _cpu(self._port), time.perf_counter()
        await asyncio.gather(*(self._ask(_REQUESTS // _CONNECTIONS) for _ in range(_CONNECTIONS)))
        took = time.perf_counter() - began
        return Figures((await _cpu(self._port) - before) / _REQUESTS * 1e6, _REQUESTS / took)

    async def _ask(self, times: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        for _ in range(times):
            writer.write(self._request)
            assert b'"errors"' not in await _response(reader)
        writer.close()


class _Messages:
    """Messages of several simultaneous subscriptions, each on its own socket."""

    def __init__(self, port: int, subscriptions: int) -> None:
        self._port = port
        self._subscriptions = subscriptions

    async def run(self) -> Figures:
        """One round."""
        each = _MESSAGES // self._subscriptions
        before, began = await _cpu(self._port), time.perf_counter()
        counts = await asyncio.gather(*(self._follow(each) for _ in range(self._subscriptions)))
        took = time.perf_counter() - began
        assert sum(counts) == _MESSAGES, counts
        return Figures((await _cpu(self._port) - before) / _MESSAGES * 1e6, _MESSAGES / took)

    async def _follow(self, count: int) -> int:
        seen = 0
        async for message in _stream(self._port, f"subscription {{ ticks(count: {count}) }}"):
            seen += '"next"' in message
        return seen


async def _stream(port: int, query: str) -> AsyncGenerator[str]:
    url = f"ws://127.0.0.1:{port}/graphql"
    async with connect(url, subprotocols=[Subprotocol("graphql-transport-ws")], compression=None) as socket:
        await socket.send('{"type":"connection_init"}')
        await socket.recv()
        await socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": {"query": query}}))
        async for message in socket:
            yield str(message)
            if '"complete"' in str(message):
                return


async def _cpu(port: int) -> float:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /cpu HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    seconds = float(await _response(reader))
    writer.close()
    return seconds


async def _response(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(line for line in _lines(head) if line.startswith(b"content-length:")).split(b":")[1]
    return await reader.readexactly(int(length))


def _lines(head: bytes) -> Iterator[bytes]:
    return iter(head.lower().split(b"\r\n"))


@contextmanager
def _served(kind: str) -> Generator[int]:
    command = [sys.executable, "-m", "tests.bench.api.served", kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()
