"""A real RabbitMQ: what it has received, and a way to it that can be cut."""

import asyncio
import json
import os
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import aio_pika
import pytest
from aio_pika.abc import AbstractChannel, AbstractIncomingMessage
from aio_pika.exceptions import AMQPError

URL = os.environ.get("TEST_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672/")

# Frames of methods of channel 0: `connection.blocked` with its reason, and `connection.unblocked`.
_BLOCKED = b"\x01\0\0\0\0\0\x0b\0\x0a\0\x3c\x06memory\xce"
_UNBLOCKED = b"\x01\0\0\0\0\0\x04\0\x0a\0\x3d\xce"


class BrokerQueue:
    """A queue that gets everything of an exchange of its own."""

    def __init__(self, channel: AbstractChannel, exchange: str) -> None:
        self.channel = channel
        self.exchange = exchange
        self.url = URL
        self.name = f"{exchange}-queue"
        self.messages: list[AbstractIncomingMessage] = []
        self._changed = asyncio.Event()

    async def declare(self, **arguments: Any) -> None:
        """Make it, with arguments such as those that bound it."""
        exchange = await self.channel.declare_exchange(self.exchange, "topic", durable=True)
        queue = await self.channel.declare_queue(self.name, exclusive=True, arguments=arguments)
        await queue.bind(exchange, "#")

    async def consume(self) -> None:
        """Begin to take messages."""
        queue = await self.channel.get_queue(self.name)
        await queue.consume(self._take, no_ack=True)

    async def _take(self, message: AbstractIncomingMessage) -> None:
        self.messages.append(message)
        self._changed.set()

    async def wait_for(self, count: int) -> list[dict[str, Any]]:
        """The events, once there are so many with different ids."""
        async with asyncio.timeout(60):
            while len({message.message_id for message in self.messages}) < count:
                self._changed.clear()
                await self._changed.wait()
        return [json.loads(message.body) for message in self.messages]


@asynccontextmanager
async def broker_queue() -> AsyncGenerator[BrokerQueue]:
    """A queue on the broker of TEST_AMQP_URL; without one the test is skipped, and in continuous integration fails."""
    try:
        connection = await aio_pika.connect(URL, timeout=5)
    except (AMQPError, OSError, TimeoutError) as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no RabbitMQ answers at TEST_AMQP_URL ({type(error).__name__}); start one, or name another")
    async with connection:
        channel = await connection.channel()
        queue = BrokerQueue(channel, f"footnote-test-{uuid.uuid4().hex}")
        try:
            yield queue
        finally:
            await channel.exchange_delete(queue.exchange)


class BrokerWay:
    """A way to the broker on a port of its own, which a test opens and cuts."""

    def __init__(self, port: int) -> None:
        parts = urlsplit(URL)
        self._broker = (parts.hostname or "127.0.0.1", parts.port or 5672)
        self._port = port
        self._server: asyncio.Server | None = None
        self._pipes: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        self.url = f"amqp://{parts.username}:{parts.password}@127.0.0.1:{port}{parts.path}"
        self.is_held = asyncio.Event()
        """Set once something came from the server while nothing was let through."""
        self.lets_through = asyncio.Event()
        self.lets_through.set()

    async def open(self) -> None:
        """Accept connections."""
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self._port)

    async def hang_up(self) -> None:
        """Accept a connection and close it before the greeting, as a broker does that stops."""
        hung_up = asyncio.Event()

        async def close(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()
            hung_up.set()

        server = await asyncio.start_server(close, "127.0.0.1", self._port)
        await hung_up.wait()
        server.close()

    async def cut(self) -> None:
        """Break all connections, and accept none."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for pipe in list(self._pipes):
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    @property
    def connections(self) -> int:
        """How many were accepted so far."""
        return len(self._writers)

    def block(self) -> None:
        """Say what a broker says that is short of memory, and read nothing more, as it does."""
        self.lets_through.clear()
        self._tell(_BLOCKED)

    def unblock(self) -> None:
        """Say that there is memory again, and read on."""
        self._tell(_UNBLOCKED)
        self.lets_through.set()

    def _tell(self, frame: bytes) -> None:
        for writer in self._writers:
            if not writer.is_closing():
                writer.write(frame)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        broker_reader, broker_writer = await asyncio.open_connection(*self._broker)
        for pipe in (self._pipe(reader, broker_writer, holds=True), self._pipe(broker_reader, writer, holds=False)):
            task = asyncio.create_task(pipe)
            self._pipes.add(task)
            task.add_done_callback(self._pipes.discard)

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, holds: bool) -> None:
        with suppress(OSError):
            try:
                while data := await reader.read(65_536):
                    if holds and not self.lets_through.is_set():
                        self.is_held.set()
                        await self.lets_through.wait()
                    writer.write(data)
                    await writer.drain()
            finally:
                writer.close()
