"""Messages between a supervisor and its workers: one JSON object per line, over a pair of sockets."""

import asyncio
import json
import socket
from contextlib import suppress
from typing import Any, Literal, Self

Kind = Literal["started", "stop", "retire", "collect", "collected", "sample", "sampled"]
"""A worker has `started`; it should `stop`, or `retire`: finish its work and accept no more. It wants the metrics of
all workers (`collect`), so the others are asked for theirs (`sample`)."""
Message = dict[str, Any]

# The metrics of a process are about 50 kB.
_MAX_BYTES = 8_000_000


class MessageChannel:
    """One end of the pair. When the other process ends, for whatever reason, `receive` returns None."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, end: socket.socket) -> Self:
        """The channel over this end."""
        return cls(*await asyncio.open_connection(sock=end, limit=_MAX_BYTES))

    def send(self, kind: Kind, **values: Any) -> None:
        """Send a message. It is lost if the other process is gone."""
        if not self._writer.is_closing():
            self._writer.write(json.dumps({"kind": kind, **values}).encode() + b"\n")

    async def flush(self) -> None:
        """Wait until all messages have been handed to the system."""
        with suppress(ConnectionError):
            await self._writer.drain()

    async def receive(self) -> Message | None:
        """The next message; None when the other process is gone."""
        try:
            line = await self._reader.readline()
        except (ConnectionError, ValueError):
            return None
        return json.loads(line) if line.endswith(b"\n") else None

    def close(self) -> None:
        """Close this end."""
        self._writer.close()
