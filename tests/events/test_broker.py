"""The broker: a real RabbitMQ, with a way to it that is cut, a queue that is full, and a server that is killed."""

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import pytest

from app.database.sqlite import driver
from tests.answers import Start, openai
from tests.events.observing import Json, check_events
from tests.events.receiver import SECRET, Receiver, Reply, receiving
from tests.forks.commands import FootnoteProcess, start_footnote
from tests.graphql.client import EVENTS, SEND, Client, subscribe
from tests.looking import pause, until
from tests.servers.openai import OpenAIServer
from tests.servers.ports import closed_port
from tests.servers.rabbitmq import BrokerQueue, BrokerWay, broker_queue
from tests.servers.running import Break, running

SUBMITTED, GENERATED = "analytics.query.submitted", "analytics.response.generated"


@pytest.fixture
async def queue() -> AsyncGenerator[BrokerQueue]:
    async with broker_queue() as found:
        yield found


def distinct(events: Sequence[Json]) -> list[Json]:
    """The events in the order in which they came first: one whose confirmation was lost comes again."""
    first: dict[str, Json] = {}
    for event in events:
        assert first.setdefault(event["eventId"], event) == event, "the same id, the same event"
    return list(first.values())


def in_order(events: Sequence[Json]) -> dict[str, list[str]]:
    """The types of each session's events, in the order in which they came."""
    found: dict[str, list[str]] = {}
    for event in events:
        found.setdefault(event["payload"]["session_id"], []).append(event["eventType"])
    return found


async def ask(client: Client, project: str, sessions: int, turns: int) -> None:
    """Ask several questions in several sessions at once."""

    async def converse(number: int) -> None:
        session = await client.session(project, enableRag=False)
        for turn in range(turns):
            await client.answered(session, f"Question {turn} of session {number}?")

    await asyncio.gather(*(converse(number) for number in range(sessions)))


async def test_events_wait_for_a_broker_that_is_not_there(start: Start, queue: BrokerQueue) -> None:
    """Several sessions, each in order; a receiver that is down holds up nothing; and messages are as promised."""
    await queue.declare()
    await queue.consume()
    way = BrokerWay(closed_port())
    with (
        running(OpenAIServer(lambda _: ["An ", "answer."])) as model,
        receiving(Receiver(lambda _, __: Reply(503))) as down,
    ):
        client = start(
            **openai(model),
            amqp_url=way.url,
            amqp_exchange=queue.exchange,
            webhook_urls=down.url,
            webhook_secret=SECRET,
        )
        project = await client.project("Shop")
        await ask(client, project, sessions=3, turns=2)

        async def is_told() -> bool:
            health = (await client.http.get(client.url.replace("graphql", "health"))).json()
            detail = health["components"]["events"]["detail"] or ""
            told = "Events waiting for the broker: .*? It cannot be reached: the connection was refused"
            return re.search(told, detail) is not None

        await until(is_told)  # the first connection is tried once the driver is loaded
        assert queue.messages == []
        await way.open()
        events = await queue.wait_for(12)
        await way.cut()
        await ask(client, project, sessions=2, turns=1)
        await way.hang_up()
        await way.open()
        events = await queue.wait_for(16)
        nothing_waits = 'footnote_waiting_events{destination="broker"} 0.0'
        while nothing_waits not in (await client.http.get(client.url.replace("graphql", "metrics"))).text:
            assert len(queue.messages) < 32, "what is confirmed leaves the outbox"
            await pause()
    await way.cut()
    check_events(events)
    for order in in_order(distinct(events)).values():
        assert order == [SUBMITTED, GENERATED] * (len(order) // 2)
    for message in queue.messages:
        event = json.loads(message.body)
        assert message.routing_key == message.type == event["eventType"]
        assert (message.message_id, message.correlation_id) == (event["eventId"], event["correlationId"])
        assert (message.delivery_mode, message.content_type) == (2, "application/json")


async def test_a_broker_that_is_short_of_memory_keeps_its_connection(start: Start, queue: BrokerQueue) -> None:
    """It notices closed connections only when it reads again, and then reads all that was sent over each."""
    await queue.declare()
    await queue.consume()
    way = BrokerWay(closed_port())
    await way.open()
    client = start(amqp_url=way.url, amqp_exchange=queue.exchange)
    project = await client.project("Shop")
    await client.ready(project, "First", "Text.")
    await queue.wait_for(2)
    way.block()
    await client.ready(project, "Second", "More text.")

    async def is_told() -> bool:
        health = (await client.http.get(client.url.replace("graphql", "health"))).json()
        return "short of memory or disk" in str(health["components"]["events"]["detail"])

    await until(is_told)
    assert len(queue.messages) == 2
    way.unblock()
    await queue.wait_for(4)
    assert way.connections == 1
    await way.cut()


async def test_a_full_queue(start: Start, queue: BrokerQueue) -> None:
    """The broker refuses what does not fit; it comes later, in order."""
    await queue.declare(**{"x-max-length": 2, "x-overflow": "reject-publish"})
    client = start(amqp_url=queue.url, amqp_exchange=queue.exchange)
    project = await client.project("Shop")
    documents = [await client.ready(project, f"Title {n}", f"Text {n}.") for n in range(2)]
    address = client.url.replace("graphql", "health")
    while True:
        told = (await client.http.get(address)).json()["components"]["events"]
        if "A queue is full." in str(told["detail"]):
            break
        await pause()
    await queue.consume()
    events = await queue.wait_for(4)
    for document in documents:
        told = [event["eventType"] for event in events if event["correlationId"] == document]
        assert told == ["document.added", "document.ready"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    database = {"DATABASE_URL": f"sqlite:///{tmp_path / 'footnote.db'}", "SAMPLE_PROJECT": "false"}
    return {**os.environ, **database, "OPENAI_API_KEY": "key"}


async def server(environment: dict[str, str]) -> tuple[FootnoteProcess, str]:
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    process = start_footnote("serve", "--port", "0", environment=environment, stdout=pipe, stderr=nowhere)

    def read() -> str:
        assert process.stdout is not None
        return next(word for line in process.stdout for word in line.split() if word.endswith("/graphql"))

    return process, (await asyncio.to_thread(read)).removesuffix("/graphql")


async def test_a_server_that_is_killed_loses_no_event(environment: dict[str, str], queue: BrokerQueue) -> None:
    """Killed with messages on their way that nobody has confirmed, and in the middle of an answer."""
    await queue.declare()
    await queue.consume()
    way = BrokerWay(closed_port())
    await way.open()
    stalling = OpenAIServer(lambda _: ["Half ", "an answer."], faults=[None, None, Break("stall", after=1)])
    processes: list[FootnoteProcess] = []
    with running(stalling) as model:
        environment |= {"AMQP_URL": way.url, "AMQP_EXCHANGE": queue.exchange}
        environment |= {"OPENAI_BASE_URL": model.url, "CHAT_MODEL": "openai/chat"}
        try:
            async with httpx.AsyncClient(timeout=60) as http:
                process, url = await server(environment)
                processes.append(process)
                client = Client(http, url)
                session = await client.session(await client.project("Shop"), enableRag=False)
                await client.answered(session, "One?")
                await queue.wait_for(2)
                way.lets_through.clear()
                await client.answered(session, "Two?")
                async with client.socket() as socket:
                    answer = (await client.mutate(SEND, sessionId=session, content="Three?"))["answer"]["id"]
                    async for event in subscribe(socket, EVENTS, id=answer):
                        if event["__typename"] == "AnswerDelta":
                            break
                    await way.is_held.wait()
                    process.send_signal(signal.SIGKILL)
                    await asyncio.to_thread(process.wait, 60)
                way.lets_through.set()
                process, _ = await server(environment)
                processes.append(process)
                events = await queue.wait_for(6)
                process.send_signal(signal.SIGTERM)
                assert await asyncio.to_thread(process.wait, 60) == 0
        finally:
            for each in processes:
                each.kill()
                each.wait(60)
                if each.stdout is not None:
                    each.stdout.close()
    await way.cut()
    check_events(events)
    order = distinct(events)
    assert [event["eventType"] for event in order] == [SUBMITTED, GENERATED] * 3
    assert {event["payload"]["session_id"] for event in order} == {session}
    last = order[-1]
    told = {name: last["payload"][name] for name in ("answer_id", "status", "failure", "response", "model_id")}
    assert told == {
        "answer_id": answer,
        "status": "INTERRUPTED",
        "failure": "INTERRUPTED",
        "response": "Half ",
        "model_id": "openai/chat",
    }


def relay_holder(folder: Path) -> int:
    """The number of the process that delivers events."""
    connection = driver.choose_driver().module.connect(str(folder / "footnote.db"))
    with closing(connection):
        ((owner,),) = connection.execute("SELECT owner FROM event_relay_leases").fetchall()
    return int(owner.rsplit(":", 2)[1])


async def test_another_live_server_delivers_when_the_one_that_did_is_gone(
    environment: dict[str, str], queue: BrokerQueue, tmp_path: Path
) -> None:
    """One stops and one is killed; another takes over, and nothing is lost or comes out of order."""
    await queue.declare()
    await queue.consume()
    with running(OpenAIServer(lambda _: ["An ", "answer."])) as model, ExitStack() as stack:
        environment |= {"AMQP_URL": queue.url, "AMQP_EXCHANGE": queue.exchange}
        environment |= {"OPENAI_BASE_URL": model.url, "CHAT_MODEL": "openai/chat"}
        async with httpx.AsyncClient(timeout=60) as http:
            servers: dict[int, tuple[FootnoteProcess, Client]] = {}
            for _ in range(3):
                process, url = await server(environment)
                stack.enter_context(process)
                stack.callback(process.kill)
                servers[process.pid] = process, Client(http, url)
            client = next(iter(servers.values()))[1]
            session = await client.session(await client.project("Shop"), enableRag=False)
            events: list[Json] = []
            for number, how in enumerate((signal.SIGTERM, signal.SIGKILL, None)):
                client = next(reversed(servers.values()))[1]
                await client.answered(session, f"Question {number}?")
                events = await queue.wait_for(2 * number + 2)
                if how is not None:
                    process, _ = servers.pop(await asyncio.to_thread(relay_holder, tmp_path))
                    process.send_signal(how)
                    await asyncio.to_thread(process.wait, 60)
    check_events(events)
    order = distinct(events)
    assert [event["eventType"] for event in order] == [SUBMITTED, GENERATED] * 3
    asked = [event["payload"]["query"] for event in order if event["eventType"] == SUBMITTED]
    assert asked == [f"Question {number}?" for number in range(3)]
