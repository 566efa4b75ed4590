"""Publish events to RabbitMQ, or another broker that speaks AMQP 0-9-1."""

import asyncio
import logging
from datetime import datetime
from typing import Any

from aio_pika import Connection, DeliveryMode, ExchangeType, Message
from aio_pika.abc import AbstractConnection, AbstractExchange
from aio_pika.exceptions import DeliveryError
from yarl import URL

from app.events.envelope import SOURCE, encode_event
from app.events.publisher import DestinationDown, EventRefused, RetryRule
from app.observation.connection_failures import describe_failure

log = logging.getLogger(__name__)

_CONNECT_SECONDS = 10.0
# A broker that is short of memory or disk space confirms nothing, and soon reports that it reads nothing either.
_CONFIRM_SECONDS = 20.0
_CLOSE_SECONDS = 2.0
_BLOCKED = "It is short of memory or disk space, and takes no messages."


class BrokerPublisher:
    """A durable topic exchange; the type of an event is its routing key. The broker confirms every message."""

    key = label = "broker"
    when_refused = RetryRule(first=1, factor=2, longest=60)
    when_down = RetryRule(first=0.5, factor=2, longest=30)

    def __init__(self, url: str, exchange: str) -> None:
        # The driver logs each failed attempt to connect; the relay logs when the broker goes away and when it is back.
        logging.getLogger("aiormq").setLevel(logging.CRITICAL)
        self._url = url
        self._exchange_name = exchange
        self.description = "the broker"
        self._connection: AbstractConnection | None = None
        self._exchange: AbstractExchange | None = None
        self._opening = asyncio.Lock()

    async def publish(self, event: dict[str, Any]) -> None:
        """Send a persistent message and wait until the broker has confirmed it.

        While the broker reads nothing, the connection is kept and gets no other message. If it were closed, the broker
        would notice only later, and then read everything that was sent over it and the connections opened since.
        """
        try:
            exchange = await self._open()
            if await self._is_blocked():
                raise DestinationDown(_BLOCKED)
            await exchange.publish(_build_message(event), event["eventType"], mandatory=False, timeout=_CONFIRM_SECONDS)
        except DestinationDown:
            raise
        except DeliveryError as error:
            raise EventRefused("A queue is full.") from error
        # The driver raises errors of all kinds: RuntimeError for a closed channel, StopAsyncIteration for a broker that
        # goes away during the handshake. None of them may end the relay.
        except Exception as error:
            if await self._is_blocked():
                raise DestinationDown(_BLOCKED) from error
            await self.close()
            raise DestinationDown(_describe(error)) from error

    async def _is_blocked(self) -> bool:
        """Whether the broker has reported that it reads nothing from the open connection."""
        transport = None if self._connection is None or self._connection.is_closed else self._connection.transport
        if transport is None or self._exchange is None:
            return False
        try:
            async with asyncio.timeout(0):
                await transport.ready()
        except TimeoutError:
            return True
        return False

    async def _open(self) -> AbstractExchange:
        # One limit for all who wait for it: a delivery must end while the lease of its process lasts.
        async with asyncio.timeout(_CONNECT_SECONDS), self._opening:
            if self._exchange is None or self._connection is None or self._connection.is_closed:
                # Stored before it connects, so that `close` ends it even if that fails: otherwise it would close itself
                # when it is garbage-collected, on any thread.
                self._connection = Connection(URL(self._url))
                await self._connection.connect(timeout=_CONNECT_SECONDS)
                channel = await self._connection.channel(publisher_confirms=True)
                self._exchange = await channel.declare_exchange(self._exchange_name, ExchangeType.TOPIC, durable=True)
            return self._exchange

    async def close(self) -> None:
        """Close the connection, whatever state it is in."""
        connection, self._connection, self._exchange = self._connection, None, None
        if connection is not None:
            try:
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await connection.close()
            except Exception:  # it is gone already, whatever the driver raises
                log.debug("a connection to the broker did not close", exc_info=True)


def _build_message(event: dict[str, Any]) -> Message:
    return Message(
        encode_event(event),
        content_type="application/json",
        delivery_mode=DeliveryMode.PERSISTENT,
        message_id=event["eventId"],
        correlation_id=event["correlationId"],
        timestamp=datetime.fromisoformat(event["timestamp"]),
        type=event["eventType"],
        app_id=SOURCE,
    )


def _describe(error: BaseException) -> str:
    """Describe an error without its text, which may contain the URL, and with it a password."""
    if isinstance(error, TimeoutError):
        return "It does not respond in time."
    cause = describe_failure(error, otherwise="")
    return f"It cannot be reached: {cause}." if cause else f"{type(error).__name__}."
