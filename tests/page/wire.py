"""A wire to a server that can be cut and mended: a TCP relay on loopback."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Wire:
    """Relays connections to `port`; while it is cut, it refuses them."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._cut = False
        self.url = ""

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._call(True)

    def mend(self) -> None:
        """Let connections through again."""
        self._call(False)

    def lead_to(self, url: str) -> None:
        """Lead new connections to the server at `url`."""
        self._port = urlsplit(url).port or 80

    def _call(self, cut: bool) -> None:
        asyncio.run_coroutine_threadsafe(self._set(cut), self._loop).result(10)

    async def _set(self, cut: bool) -> None:
        self._cut = cut
        if cut:
            for writer in self._writers:
                writer.transport.abort()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.transport.abort()
            return
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._port)
        except ConnectionError:  # the server is down
            writer.transport.abort()
            return
        both = {writer, server_writer}
        self._writers |= both
        try:
            await asyncio.gather(_copy(reader, server_writer), _copy(server_reader, writer))
        finally:
            self._writers -= both
            for each in both:
                each.transport.abort()

    async def start(self) -> asyncio.Server:
        """Listen on a free port."""
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return server

    def run(self, started: threading.Event) -> None:
        """Serve until the loop is stopped."""
        server = self._loop.run_until_complete(self.start())
        started.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def stop(self) -> None:
        """End it, with all connections."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
        writer.write_eof()


@contextmanager
def wire_to(url: str) -> Generator[Wire]:
    """A wire to the server at `url`."""
    wire = Wire(urlsplit(url).port or 80)
    started = threading.Event()
    thread = threading.Thread(target=wire.run, args=[started], daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield wire
    finally:
        wire.stop()
        thread.join(10)
