"""A way to PostgreSQL that breaks while the server commits: it has committed, and nobody hears of it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from sqlalchemy import URL, make_url

_PIECE = 65_536
_LAST_WORDS = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"


class LostReplies:
    """Passes everything on. So many of the next commits as `losing` says end their connections.

    They are commits on connections that have run `statement`, or, if it is to be `at_once`, directly after it.
    """

    def __init__(self, target: str, statement: bytes = b"INSERT INTO answer_events", *, at_once: bool = False) -> None:
        """`target` is the URL of a database, on a port or in a folder of sockets."""
        self._statement = statement
        self._at_once = at_once
        self._target = make_url(target)
        self._pipes: set[asyncio.Task[None]] = set()
        self.ends_after: int | None = None
        """After so many pieces, a connection hears that the server stops, and is closed a moment later."""
        self.replaced: tuple[bytes, bytes] | None = None
        """What is said to the server, and what it hears instead, of the same length."""
        self.losing = 0
        self.lost = 0
        self.url = ""

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator["LostReplies"]:
        """Accept connections as long as the block lasts."""
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        through = self._target.set(host="127.0.0.1", port=port, query={})
        self.url = through.render_as_string(hide_password=False)
        yield self
        server.close()
        for pipe in list(self._pipes):
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._pipes.add(task)
        task.add_done_callback(self._pipes.discard)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await open_server(self._target)
        lost, has_run = asyncio.Event(), False

        async def forth() -> None:
            nonlocal has_run
            while data := await reader.read(_PIECE):
                has_run = has_run or self._statement in data
                if b"COMMIT;" in data:
                    if has_run and self.losing:
                        self.losing -= 1
                        self.lost += 1
                        lost.set()
                    has_run = has_run and not self._at_once
                server_writer.write(data.replace(*self.replaced) if self.replaced else data)

        async def back() -> None:
            pieces = 0
            while data := await server_reader.read(_PIECE):
                if lost.is_set():
                    return
                writer.write(data)
                pieces += 1
                if pieces == self.ends_after:
                    writer.write(b"E" + (len(_LAST_WORDS) + 4).to_bytes(4, "big") + _LAST_WORDS)
                    await asyncio.sleep(0.05)
                    return

        directions = {asyncio.create_task(forth()), asyncio.create_task(back())}
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for direction in directions:
                direction.cancel()
            with suppress(OSError):
                writer.transport.abort()
                server_writer.close()


async def open_server(target: URL) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the server of a URL, on a port or in a folder of sockets."""
    folder = target.query.get("host")
    if isinstance(folder, str) and folder.startswith("/"):
        return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{target.port or 5432}")
    return await asyncio.open_connection(target.host, target.port or 5432)
