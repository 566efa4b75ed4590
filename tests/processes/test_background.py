"""Work that fails is tried again: outages are logged once each, health checks go on, and nothing is left at the end."""

import asyncio
import logging
import math
from dataclasses import replace
from typing import cast

import pytest

from app import errors
from app.database.protocol import Database
from app.observation.outages import OutageLog
from app.services import Backend
from app.services.background import BackgroundWork, repeat_steps, run_in_background
from app.services.health import HealthStatus, OwnHealthCheck
from tests import behind
from tests.answers import Start
from tests.graphql.client import ADD_TEXT
from tests.looking import pause

DELETE = "mutation($id: ID!) { deleteDocument(input: { id: $id }) { __typename } }"

REFUSE_CLAIMS = """
    CREATE TRIGGER refuse_claims BEFORE UPDATE ON documents WHEN NEW.status = 'PROCESSING'
    BEGIN SELECT RAISE(ABORT, 'no claims'); END
"""


class Step:
    """Fails for a reason of its own for a few rounds, then works."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.rounds = 0
        self.worked = asyncio.Event()

    async def __call__(self) -> None:
        self.rounds += 1
        if self.rounds <= 5:
            raise errors.Unavailable(self.reason, "database", 1)
        self.worked.set()


async def test_steps_that_fail_for_different_reasons_are_each_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "app.services.background")
    steps = [Step("one"), Step("two")]
    work = asyncio.create_task(repeat_steps(0, *steps))
    async with asyncio.timeout(60):
        await asyncio.gather(*(step.worked.wait() for step in steps))
    work.cancel()
    await asyncio.wait([work])
    assert [(record.levelname, record.getMessage()) for record in caplog.records][:2] == [
        ("WARNING", "background work is postponed: one"),
        ("WARNING", "background work is postponed: two"),
    ]
    assert [record.getMessage() for record in caplog.records][2:] == ["background work has recovered"] * 2


def test_reasons_that_take_turns_are_each_logged_once_per_outage(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    outages = OutageLog(logging.getLogger("outages"), "work waits", "work goes on")
    for _ in range(2):
        for reason in ("refused", "reset", "refused", "reset"):
            outages.report_failure(OSError(reason))
        outages.report_success()
    assert [record.getMessage() for record in caplog.records] == [
        "work waits: refused",
        "work waits: reset",
        "work goes on",
    ] * 2


async def test_each_outage_of_ingestion_is_logged_even_if_nothing_is_queued_at_its_end(
    start: Start, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "app.knowledge.ingestion.workers")
    client = start()
    project = await client.project("Outages")

    def said(message: str) -> int:
        return sum(message in record.getMessage() for record in caplog.records)

    async def wait_for(message: str, times: int) -> None:
        async with asyncio.timeout(60):
            while said(message) < times:
                await client.run("{ __typename }")
                await pause()

    for times in (1, 2):
        behind.execute(database_url, REFUSE_CLAIMS)
        added = await client.mutate(ADD_TEXT, projectId=project, title="Next", text="Words.")
        await wait_for("documents are waiting: ", times)
        assert (await client.run(DELETE, id=added["document"]["id"]))["deleteDocument"]
        behind.execute(database_url, "DROP TRIGGER refuse_claims")
        await wait_for("documents are processed again", times)
    assert (said("documents are waiting: "), said("documents are processed again")) == (2, 2)


HEALTH = "{ health { status components { name status detail } } }"
UPDATE = "mutation($input: UpdateProjectInput!) { updateProject(input: $input) { __typename } }"
RETENTION = {
    "name": "work",
    "status": "DOWN",
    "detail": "Background work failed and is restarted: retention. The log says why.",
}


async def test_background_work_that_fails_unexpectedly_is_started_again(
    start: Start, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "app.services.background")
    client = start()
    project, other = await client.project("Kept"), await client.project("Other")

    async def wait_for_health(status: str) -> list[dict[str, str | None]]:
        async with asyncio.timeout(60):
            while True:
                health = (await client.run(HEALTH))["health"]
                if health["status"] == status:
                    return health["components"]
                await pause()

    for _ in range(2):
        # More days than a date can be moved by: nobody expects that.
        behind.execute(database_url, "UPDATE projects SET retention_days = 2000000000 WHERE name = 'Kept'")
        await client.mutate(UPDATE, id=other, retentionDays=30)  # which wakes the work
        assert RETENTION in await wait_for_health("DOWN")
        await client.mutate(UPDATE, id=project, retentionDays=30)
        assert RETENTION not in await wait_for_health("OK")
    told = [record.getMessage() for record in caplog.records if "retention" in record.getMessage()]
    assert [message.partition(": ")[0] for message in told] == [
        "background work failed and is restarted",
        "background work has recovered",
    ] * 2
    assert "OverflowError" in told[0]


class Failing:
    """Work that fails a few times, then goes on."""

    def __init__(self) -> None:
        self.starts = 0
        self.works = asyncio.Event()

    async def __call__(self) -> None:
        self.starts += 1
        if self.starts <= 2:
            raise RuntimeError("unexpected")
        self.works.set()
        await asyncio.Event().wait()


async def test_an_outage_of_background_work_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "app.services.background")
    work, failing = dict[str, BackgroundWork](), Failing()
    async with run_in_background(work, "counting", failing), asyncio.timeout(60):
        await failing.works.wait()
        while work["counting"].is_failing:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("CRITICAL", "background work failed and is restarted: counting: RuntimeError('unexpected')"),
        ("INFO", "background work has recovered: counting"),
    ]


class Probed:
    """A database whose probes are scripted: an error that nobody expects, an endless wait, or a success."""

    longest_probe_seconds = math.inf

    def __init__(self, *script: str) -> None:
        self._script = list(script)

    async def probe(self) -> None:
        match self._script.pop(0):
            case "error":
                raise RuntimeError("unexpected")
            case "wait":
                await asyncio.Event().wait()
            case _:
                return


def probing(backend: Backend, *script: str) -> OwnHealthCheck:
    return OwnHealthCheck(replace(backend, database=cast("Database", Probed(*script))))


async def test_a_health_check_recovers_from_an_unexpected_error(footnote: Backend) -> None:
    health = probing(footnote, "error", "works")
    with pytest.raises(RuntimeError):
        await health.check()
    assert (await health.check())[0].status is HealthStatus.OK


async def test_a_health_check_ends_with_the_server(footnote: Backend) -> None:
    health = probing(footnote, "wait")
    before = asyncio.all_tasks()
    assert (await health.check())[0].status is HealthStatus.DEGRADED
    await health.close()
    assert asyncio.all_tasks() <= before
