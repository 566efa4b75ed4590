"""Webhooks, with real receivers: signatures, retries, redirects, and receivers that hold up nobody else."""

import asyncio
import base64
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from app import errors, services
from tests import behind
from tests.answers import Start, openai
from tests.conftest import MakeSettings
from tests.events.observing import check_events
from tests.events.receiver import SECRET, Received, Receiver, Reply, receiving
from tests.graphql.client import Client
from tests.graphql.documents.test_several_texts import ADD_TEXTS
from tests.looking import until
from tests.openai_api.api import RawServer
from tests.servers.ports import closed_port
from tests.servers.running import running
from tests.serving import serve

OTHER_SECRET = "whsec_" + base64.b64encode(b"another secret of 32 bytes, 1234").decode()


async def add(client: Client, project: str, *titles: str) -> None:
    for title in titles:
        await client.ready(project, title, f"About {title}.")


async def requests(receiver: Receiver, count: int) -> list[Received]:
    return await asyncio.to_thread(receiver.wait_for, count)


def told(received: list[Received]) -> list[tuple[str, str]]:
    return [(one.event["eventType"], one.event["payload"]["title"]) for one in received]


@pytest.mark.one_database
async def test_a_receiver_can_verify_what_it_gets(start: Start) -> None:
    with receiving(Receiver()) as receiver:
        client = start(webhook_urls=f"{receiver.url}/hooks", webhook_secret=f"{SECRET},{OTHER_SECRET}")
        await add(client, await client.project("Shop"), "Returns")
        found = await requests(receiver, 2)
    check_events([one.event for one in found])
    assert told(found) == [("document.added", "Returns"), ("document.ready", "Returns")]
    for one in found:
        assert one.path == "/hooks" and one.headers["content-type"] == "application/json"
        assert one.headers["webhook-id"] == one.event["eventId"]
        assert one.verify(SECRET) and one.verify(OTHER_SECRET)
        assert not Received(one.path, one.headers, one.body + b" ").verify(SECRET)
        assert not one.verify("whsec_" + base64.b64encode(b"nobody's secret of 32 bytes, 123").decode())


async def test_a_refused_event_comes_again_before_what_follows_it(start: Start) -> None:
    """The same id each time; and other documents do not wait for it."""

    def refuse_until_others_came(received: Received, _: int) -> Reply:
        so_far = told(receiver.requests)
        is_early = ("document.ready", "Easy") not in so_far or so_far.count(("document.added", "Stubborn")) < 2
        return Reply(500 if is_early and received.event["payload"]["title"] == "Stubborn" else 200)

    with receiving(Receiver(refuse_until_others_came)) as receiver:
        client = start(webhook_urls=receiver.url, webhook_secret=SECRET)
        project = await client.project("Shop")
        await asyncio.gather(add(client, project, "Stubborn"), add(client, project, "Easy"))
        found = await requests(receiver, 1)
        while told(found)[-1] != ("document.ready", "Stubborn"):
            found = await requests(receiver, len(found) + 1)
    of_stubborn = [one for one in found if one.event["payload"]["title"] == "Stubborn"]
    kinds = [one.event["eventType"] for one in of_stubborn]
    assert len(kinds) >= 3 and set(kinds[:-1]) == {"document.added"}
    assert len({one.event["eventId"] for one in of_stubborn[:-1]}) == 1


async def test_a_refused_event_does_not_wait_for_the_clock_to_pass_a_moment_again(
    start: Start, database_url: str
) -> None:
    """It was to come again in a few seconds, and then the clock was set back."""
    refusing = True

    def reply(received: Received, _: int) -> Reply:
        return Reply(500 if refusing and received.event["payload"]["title"] == "Stubborn" else 200)

    with receiving(Receiver(reply)) as receiver:
        client = start(webhook_urls=receiver.url, webhook_secret=SECRET)
        project = await client.project("Shop")
        await add(client, project, "Stubborn")
        await behind.wait_for_value(database_url, "SELECT count(*) FROM event_deliveries WHERE attempts = 2")
        refusing = False
        behind.execute(
            database_url,
            "UPDATE event_deliveries SET due_at = '2099-01-01 00:00:00.000000' WHERE due_at IS NOT NULL",
        )
        await add(client, project, "Easy")
        found = await requests(receiver, 1)
        while ("document.ready", "Stubborn") not in told(found):
            found = await requests(receiver, len(found) + 1)


async def test_a_delivery_takes_no_negative_time_after_the_clock_was_set_back(start: Start, database_url: str) -> None:
    """Prometheus takes a sum that falls for a server that was started again."""
    is_down = True
    with receiving(Receiver(lambda _, __: Reply(503 if is_down else 200))) as receiver:
        client = start(webhook_urls=receiver.url, webhook_secret=SECRET)
        await add(client, await client.project("Shop"), "Returns")
        await requests(receiver, 1)
        behind.execute(database_url, "UPDATE outbox_events SET created_at = '2099-01-01 00:00:00.000000'")
        is_down = False

        async def deliveries() -> str | None:
            metrics = (await client.http.get(client.url.replace("graphql", "metrics"))).text
            return metrics if "\nfootnote_event_delivery_seconds_count 2.0" in metrics else None

        metrics = await until(deliveries)
    assert float(metrics.partition("\nfootnote_event_delivery_seconds_sum ")[2].partition("\n")[0]) >= 0


@pytest.mark.one_database
async def test_redirects_are_not_followed_and_answers_without_end_are_not_read(start: Start) -> None:
    with (
        receiving(Receiver()) as elsewhere,
        receiving(Receiver(lambda _, __: Reply(307, {"location": elsewhere.url}))) as redirecting,
        receiving(Receiver(lambda _, __: Reply(200, endless=True))) as endless,
    ):
        urls = ",".join((redirecting.url, endless.url))
        client = start(webhook_urls=urls, webhook_secret=SECRET)
        await add(client, await client.project("Shop"), "Returns")
        assert told(await requests(endless, 2)) == [("document.added", "Returns"), ("document.ready", "Returns")]
        # Again a second later: it was refused, and was not delivered.
        assert told(await requests(redirecting, 2)) == [("document.added", "Returns")] * 2
        assert elsewhere.requests == []


async def test_why_a_receiver_cannot_be_reached_is_told(start: Start) -> None:
    client = start(webhook_urls=f"http://127.0.0.1:{closed_port()}/key=abc", webhook_secret=SECRET)
    await add(client, await client.project("Shop"), "Returns")

    async def is_told() -> bool:
        health = (await client.http.get(client.url.replace("graphql", "health"))).json()
        return (health["components"]["events"]["detail"] or "").endswith(
            " seconds. It cannot be reached: the connection was refused."
        )

    await until(is_told)


async def test_a_receiver_that_is_down_holds_up_no_other_and_is_told_of(start: Start) -> None:
    is_down = True

    def reply(_: Received, __: int) -> Reply:
        return Reply(503) if is_down else Reply()

    with receiving(Receiver(reply)) as down, receiving(Receiver()) as up:
        client = start(webhook_urls=f"{down.url},{up.url}", webhook_secret=SECRET)
        await add(client, await client.project("Shop"), "Returns")
        assert len(await requests(up, 2)) == 2
        await requests(down, 2)
        health = (await client.http.get(client.url.replace("graphql", "health"))).json()
        [component] = [part for name, part in health["components"].items() if name == "events"]
        assert component["status"] == "DEGRADED"
        assert "Events waiting for webhook 1 (127.0.0.1): 2" in component["detail"], component
        assert "It answers with status 503." in component["detail"]

        async def nothing_waits_for_the_other() -> str | None:
            metrics = (await client.http.get(client.url.replace("graphql", "metrics"))).text
            return metrics if 'footnote_waiting_events{destination="webhook-2"} 0.0' in metrics else None

        metrics = await until(nothing_waits_for_the_other)
        assert 'footnote_waiting_events{destination="webhook-1"} 2.0' in metrics
        assert 'footnote_events_total{destination="webhook-2",result="delivered"} 2.0' in metrics
        assert 'footnote_events_total{destination="webhook-1",result="delivered"} 0.0' in metrics
        is_down = False
        found = await requests(down, len(down.requests) + 2)
    assert told(found[-2:]) == [("document.added", "Returns"), ("document.ready", "Returns")]


async def test_a_server_that_stops_sends_nothing_twice_that_was_confirmed(make_settings: MakeSettings) -> None:
    """One event is being delivered for as long as it may take; those of the same batch are confirmed."""
    released = threading.Event()

    def reply(received: Received, _: int) -> Reply:
        if received.event["payload"]["title"] == "Stuck":
            released.wait(60)
        return Reply()

    documents = [{"title": f"Title {number}", "text": f"About {number}."} for number in range(20)]
    documents.append({"title": "Stuck", "text": "About nothing."})
    with receiving(Receiver(reply)) as receiver:
        settings = make_settings(webhook_urls=receiver.url, webhook_secret=SECRET, process_documents=False)
        async with httpx.AsyncClient(timeout=120) as http:
            with serve(settings) as url:
                client = Client(http, url)
                await client.mutate(ADD_TEXTS, projectId=await client.project("Shop"), documents=documents)
                await requests(receiver, len(documents))
            released.set()
            with serve(settings):
                found = await requests(receiver, len(documents) + 1)
    assert told(found[len(documents) :]) == [("document.added", "Stuck")]


async def test_one_that_is_being_delivered_is_confirmed_before_the_server_stops(make_settings: MakeSettings) -> None:
    """It is not sent again by the next server."""
    stopping = threading.Event()

    def reply(_: Received, number: int) -> Reply:
        if number == 0:
            stopping.wait(60)
        return Reply()

    with receiving(Receiver(reply)) as receiver:
        settings = make_settings(webhook_urls=receiver.url, webhook_secret=SECRET, process_documents=False)
        async with httpx.AsyncClient(timeout=120) as http:
            with serve(settings) as url:
                client = Client(http, url)
                project = await client.project("Shop")
                await client.mutate(ADD_TEXTS, projectId=project, documents=[{"title": "First", "text": "First."}])
                await requests(receiver, 1)
                threading.Timer(0.3, stopping.set).start()
            with serve(settings) as url:
                client = Client(http, url)
                await client.mutate(ADD_TEXTS, projectId=project, documents=[{"title": "Second", "text": "Second."}])
                found = await requests(receiver, 2)
    assert told(found) == [("document.added", "First"), ("document.added", "Second")]


async def test_beyond_the_maximum_the_oldest_are_dropped_and_it_is_told(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    is_down = True
    with receiving(Receiver(lambda _, __: Reply(503) if is_down else Reply())) as down:
        client = start(webhook_urls=down.url, webhook_secret=SECRET, max_waiting_events=100)
        project = await client.project("Shop")
        documents = [{"title": f"Title {number}", "text": f"About {number}."} for number in range(60)]
        added = await client.mutate(ADD_TEXTS, projectId=project, documents=documents)
        assert len(added["results"]) == 60

        expected = (
            'footnote_waiting_events{destination="webhook-1"} 100.0',
            'footnote_events_total{destination="webhook-1",result="dropped"} 20.0',
        )

        async def surplus_is_dropped() -> bool:
            metrics = (await client.http.get(client.url.replace("graphql", "metrics"))).text
            return all(line in metrics for line in expected)

        await until(surplus_is_dropped)
        health = (await client.http.get(client.url.replace("graphql", "health"))).json()["components"]["events"]
        assert health["status"] == "DEGRADED"
        assert "Events for webhook 1 (127.0.0.1) given up since the server's start: 20." in health["detail"]
        assert "were dropped, because more than 100 waited" in caplog.text
        tried, is_down = len(down.requests), False
        found = (await requests(down, tried + 100))[tried:]
    assert len({one.event["eventId"] for one in found}) == 100
    ready = [one.event["payload"]["title"] for one in found if one.event["eventType"] == "document.ready"]
    assert len(ready) == 60, "the oldest went, the newest came"


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("values", "name"),
    [
        ({"webhook_urls": "https://example.org"}, "WEBHOOK_SECRET is missing"),
        ({"webhook_urls": "example.org", "webhook_secret": SECRET}, "must be a URL with http:// or https://"),
        ({"webhook_urls": "https://a.example,https://a.example"}, "must not name a URL twice"),
        ({"webhook_secret": "secret"}, "must be `whsec_` and 24 to 64 random bytes in base64"),
        ({"webhook_secret": "whsec_c2hvcnQ="}, "must be `whsec_` and 24 to 64 random bytes in base64"),
        ({"amqp_url": "http://localhost"}, "must be a URL such as amqp://"),
    ],
)
async def test_wrong_settings_stop_the_start(
    make_settings: MakeSettings, tmp_path: Path, values: dict[str, Any], name: str
) -> None:
    with pytest.raises((errors.StartError, ValueError), match=name):
        async with services.open_services(make_settings(**values), "serve"):
            pass


async def test_words_of_a_model_that_are_no_unicode_hold_up_no_event(start: Start) -> None:
    """Models send halves of emoji: what no network and no database can carry becomes a replacement character."""
    piece = {"index": 0, "delta": {"content": "Half \ud83d, zero \0."}, "finish_reason": None}
    end: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "stop"}
    with (
        running(RawServer(lambda _: [{"choices": [piece]}, {"choices": [end]}])) as model,
        receiving(Receiver()) as receiver,
    ):
        client = start(**openai(model), webhook_urls=receiver.url, webhook_secret=SECRET)
        body = {"model": "openai/chat", "messages": [{"role": "user", "content": "Hi"}], "stream": True}
        answer = await client.http.post(client.url.replace("/graphql", "/v1/chat/completions"), json=body)
        assert answer.text.endswith("data: [DONE]\n\n")
        _, generated = await requests(receiver, 2)
    assert generated.event["payload"]["response"] == "Half \ufffd, zero \ufffd."
