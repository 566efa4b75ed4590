"""Everything that runs: four servers, the model, PostgreSQL and RabbitMQ with a way to each, and what these have."""

import asyncio
import json
import os
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import aio_pika
import asyncpg
import httpx

from tests.bench.running import line, process, say
from tests.graphql.client import Client
from tests.outages.nodes import BrokerNode, PostgresNode
from tests.outages.readers import Crowd
from tests.outages.way import Way

SERVERS, READERS = 4, 200
TOKENS, PER_SECOND = 120, 3
_EXCHANGE, _QUEUE = "footnote.events", "everything"
_LOOK_SECONDS = 0.5
_DOCUMENT = "Counting goes from one to the next number. Whoever counts begins with one and does not stop."


@dataclass
class Stage:
    """Everything that runs."""

    postgres: PostgresNode
    broker: BrokerNode
    to_postgres: Way
    to_broker: Way
    servers: list[subprocess.Popen[str]]
    crowd: Crowd


async def build_stage(stack: ExitStack, place: Path) -> Stage:
    """Start everything in a folder."""
    postgres, broker = stack.enter_context(PostgresNode(place)), stack.enter_context(BrokerNode(place))
    to_postgres, to_broker = Way(postgres.port), Way(broker.port)
    await to_postgres.listen()
    await to_broker.listen()
    model = stack.enter_context(process("tests.outages.counting_model", str(TOKENS), str(PER_SECOND)))
    environment = {
        **os.environ,
        "DATABASE_URL": postgres.url(to_postgres.port),
        "AMQP_URL": broker.url(to_broker.port),
        "AMQP_EXCHANGE": _EXCHANGE,
        "EVENT_DAYS": "1",
        "OPENAI_BASE_URL": f"http://127.0.0.1:{line(model)}/v1",
        "CHAT_MODEL": "openai/chat",
        "SAMPLE_PROJECT": "false",
        "LOG_FORMAT": "JSON",
        "MODEL_REQUESTS_AT_ONCE": str(READERS),
        "MAX_RUNNING_ANSWERS_PER_USER": str(2 * READERS),
    }
    say(model)
    servers: list[subprocess.Popen[str]] = []
    urls: list[str] = []
    for number in range(SERVERS):
        log = stack.enter_context((place / f"server-{number}.log").open("w"))
        server = stack.enter_context(process("app", "serve", "--port", "0", env=environment, stderr=log.fileno()))
        servers.append(server)
        urls.append(await asyncio.to_thread(_find_address, server))
    await _declare_queue(broker)
    return Stage(postgres, broker, to_postgres, to_broker, servers, Crowd(urls))


def _find_address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    word = next(word for said in server.stdout for word in said.split() if word.endswith("/graphql"))
    return word.removesuffix("/graphql")


async def make_project(stage: Stage) -> str:
    """A project with a document; its id."""
    async with httpx.AsyncClient(timeout=60) as http:
        client = Client(http, stage.crowd.urls[0])
        project = await client.project("Numbers")
        await client.ready(project, "Counting", _DOCUMENT)
    return project


async def _declare_queue(broker: BrokerNode) -> None:
    async with await aio_pika.connect(broker.url()) as connection:
        channel = await connection.channel()
        exchange = await channel.declare_exchange(_EXCHANGE, "topic", durable=True)
        queue = await channel.declare_queue(_QUEUE, durable=True)
        await queue.bind(exchange, "#")


async def take_messages(broker: BrokerNode) -> list[dict[str, Any]]:
    """All events in the queue, in order."""
    async with await aio_pika.connect(broker.url()) as connection:
        queue = await (await connection.channel()).declare_queue(_QUEUE, passive=True)
        found: list[dict[str, Any]] = []
        while (message := await queue.get(no_ack=True, fail=False)) is not None:
            found.append(json.loads(message.body))
            assert message.message_id == found[-1]["eventId"]
        return found


async def wait_for_delivery(postgres: PostgresNode) -> None:
    """Until no event waits."""
    while await _fetch(postgres, "SELECT count(*) FROM event_deliveries") != [(0,)]:  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_SECONDS)


async def read_kept_events(postgres: PostgresNode) -> list[str]:
    """The ids of all events that were written."""
    return [str(event) for (event,) in await _fetch(postgres, "SELECT body->>'eventId' FROM outbox_events")]


async def _fetch(postgres: PostgresNode, statement: str) -> list[tuple[Any, ...]]:
    connection = await cast("Any", asyncpg).connect(postgres.url())
    try:
        return [tuple(row) for row in await connection.fetch(statement)]
    finally:
        await connection.close()
