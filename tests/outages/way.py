"""A TCP way to a server, which is cut while data is on it: what was sent arrives, its answer does not."""

import asyncio
from contextlib import suppress

_PIECE = 65_536


class Way:
    """Listens on a port of its own and passes everything on to another port of 127.0.0.1."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._pipes: set[asyncio.Task[None]] = set()
        self._is_open = True
        self.port = 0
        self.cut_connections = 0

    async def listen(self) -> None:
        """Accept connections from now on, until the program ends."""
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._server = server

    async def cut(self, seconds: float) -> None:
        """Break all connections, and accept none for so long."""
        self._is_open = False
        self.cut_connections += len(self._pipes) // 2
        for pipe in list(self._pipes):
            pipe.cancel()
        await asyncio.sleep(seconds)
        self._is_open = True

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_open:
            writer.transport.abort()
            return
        try:
            target_reader, target_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        for pipe in (_pipe(reader, target_writer), _pipe(target_reader, writer)):
            task = asyncio.create_task(pipe)
            self._pipes.add(task)
            task.add_done_callback(self._pipes.discard)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        try:
            while data := await reader.read(_PIECE):
                writer.write(data)
                await writer.drain()
        except asyncio.CancelledError:
            # What was sent is still delivered; whatever comes back is lost.
            writer.close()
            raise
        finally:
            writer.close()
