"""A pooler before PostgreSQL that shares one of its connections, one transaction after the other.

As PgBouncer with `pool_mode = transaction` since 1.21, it keeps prepared statements apart, so nothing ever fails.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from itertools import count

from sqlalchemy import URL, make_url

from tests.servers.lost_replies import open_server

_IDLE, _TERMINATE = b"I", b"X"
_MOST = 100_000
_TLS_REQUEST_BYTES = 8


class TransactionPooler:
    """Clients take turns with the connection that the first one has made."""

    def __init__(self, target: URL) -> None:
        self._target = target
        self._turn = asyncio.Lock()
        self._numbers = count()
        self._greeting = b""

    async def _connect(self, startup: bytes) -> None:
        self._from_server, self._to_server = await open_server(self._target)
        self._to_server.write(startup)
        self._greeting = await self._relay(None)

    async def _relay(self, client: asyncio.StreamWriter | None) -> bytes:
        """What the server says until its transaction has ended."""
        said = b""
        while True:
            head = await self._from_server.readexactly(5)
            message = head + await self._from_server.readexactly(int.from_bytes(head[1:]) - 4)
            said += message
            if client is not None:
                client.write(message)
            if head[:1] == b"Z" and message[5:] == _IDLE:
                return said

    def close(self) -> None:
        """Close the connection."""
        self._to_server.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client, which may leave in the middle of anything."""
        try:
            with suppress(ConnectionError):
                await self._serve(reader, writer)
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        names = b"__asyncpg_%04d_" % next(self._numbers)
        if len(startup := await reader.read(_MOST)) == _TLS_REQUEST_BYTES:
            writer.write(b"N")
            startup = await reader.read(_MOST)
        async with self._turn:
            if not self._greeting:
                await self._connect(startup)
        writer.write(self._greeting)
        reading = asyncio.create_task(reader.read(_MOST))
        while (asked := await reading)[:1] not in (b"", _TERMINATE):
            async with self._turn:
                relayed = asyncio.create_task(self._relay(writer))
                while True:
                    self._to_server.write(asked.replace(b"__asyncpg_stmt_", names))
                    reading = asyncio.create_task(reader.read(_MOST))
                    await asyncio.wait({reading, relayed}, return_when=asyncio.FIRST_COMPLETED)
                    if relayed.done():
                        break
                    asked = reading.result()


@asynccontextmanager
async def transaction_pooler(target: str) -> AsyncGenerator[str]:
    """The URL of `target`, a database, through a pooler, for as long as the block lasts."""
    pooler = TransactionPooler(make_url(target))
    async with await asyncio.start_server(pooler.serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        through = make_url(target).set(host="127.0.0.1", port=port, query={})
        yield through.render_as_string(hide_password=False)
    pooler.close()
