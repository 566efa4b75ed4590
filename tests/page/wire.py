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
        self._sockets: set[asyncio.StreamWriter] = set()
        self._silent: set[asyncio.StreamWriter] = set()
        self._cut = False
        self._stopped = asyncio.Event()
        self.url = ""

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._call(True)

    def mend(self) -> None:
        """Let connections through again."""
        self._call(False)

    def silence_sockets(self) -> None:
        """From now on, nothing arrives over the WebSockets that are open, and nobody hears of it."""
        self._silent |= self._sockets

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
        if self._cut:
            await self._set(True)
        try:
            await asyncio.gather(self._copy(reader, server_writer), self._copy(server_reader, writer))
        finally:
            self._writers -= both
            for each in both:
                each.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):  # one of the two has left
            while piece := await reader.read(65_536):
                if b"upgrade: websocket" in piece.lower():
                    self._sockets.add(writer)
                if writer in self._silent:
                    continue
                writer.write(piece)
                await writer.drain()
            writer.write_eof()

    async def serve(self, started: threading.Event) -> None:
        """Relay on a free port until `stop` is called. Every connection is closed by then."""
        server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        started.set()
        await self._stopped.wait()
        await self._set(True)
        # A connection that is being accepted would stay open if its task was cancelled, or the server closed before.
        while connections := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(connections)
        server.close()

    def run(self, started: threading.Event) -> None:
        """Serve in this thread."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self.serve(started))

    def stop(self) -> None:
        """End it, with all connections."""
        self._loop.call_soon_threadsafe(self._stopped.set)


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
        assert not thread.is_alive(), "the wire did not end"
