"""Metrics of several workers: what waits in their one database counts once, whoever counts it."""

import time
from pathlib import Path

import pytest

from tests.answers import TEXT
from tests.events.receiver import SECRET
from tests.observation.test_metrics import scrape
from tests.processes.test_workers import environment, two_reached, workers
from tests.servers.ports import closed_port

__all__ = ["environment"]


@pytest.mark.sqlite
async def test_events_that_wait_count_once(tmp_path: Path, environment: dict[str, str]) -> None:
    nobody = {"WEBHOOK_URLS": f"http://127.0.0.1:{closed_port()}/", "WEBHOOK_SECRET": SECRET}
    with workers(tmp_path, {**environment, **nobody}) as server:
        async with two_reached(server) as (one, other):
            project = await one.client.project("Shop")
            began = time.monotonic()
            await one.client.ready(project, "Returns", TEXT)
            for each in (one, other):
                samples = await scrape(each.client)
                [count] = [value for name, value in samples.items() if name.startswith("footnote_waiting_events ")]
                [oldest] = [value for name, value in samples.items() if "_oldest_waiting_event_seconds " in name]
                assert count == 2, "document.added and document.ready"
                assert 0 < oldest <= time.monotonic() - began
