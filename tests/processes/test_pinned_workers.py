"""PIN_WORKERS: each worker stays on a core of its own, and what it starts does not."""

import os
import signal
import sys
from pathlib import Path

import httpx
import pytest

from app.cores import CORES
from tests.answers import TEXT
from tests.forks.commands import run_footnote
from tests.graphql.client import Client
from tests.looking import pause
from tests.processes.test_workers import Footnote, children, environment, read_children, workers

__all__ = ["environment"]

pytestmark = [
    pytest.mark.sqlite,
    pytest.mark.skipif(sys.platform != "linux", reason="Only Linux keeps processes on cores."),
]


def read_cores(pid: str) -> list[int]:
    """The cores that a process may use."""
    return sorted(os.sched_getaffinity(int(pid)))


async def until_pinned(server: Footnote, *not_these: str) -> dict[str, int]:
    """The core of each worker, once there are two that have one."""
    while True:
        pids = await children(server, lambda found: len(found) == 2 and found.isdisjoint(not_these))
        cores = {pid: read_cores(pid) for pid in pids}
        if all(len(each) == 1 for each in cores.values()):
            return {pid: each[0] for pid, each in cores.items()}
        await pause()


@pytest.mark.skipif(len(CORES) < 2, reason="This machine has one core.")
async def test_each_worker_has_a_core_and_its_parse_workers_have_all(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with workers(tmp_path, {**environment, "PIN_WORKERS": "true"}) as server:
        pinned = await until_pinned(server)
        assert sorted(pinned.values()) == list(CORES[:2])
        async with httpx.AsyncClient(timeout=60) as http:
            client = Client(http, server.url)
            await client.ready(await client.project("Read"), "Returns", f"{TEXT} " * 500)
        [parsing] = [child for pid in pinned for child in read_children(int(pid))]
        assert read_cores(parsing) == list(CORES)
        killed = next(iter(pinned))
        os.kill(int(killed), signal.SIGKILL)
        assert sorted((await until_pinned(server, killed)).values()) == list(CORES[:2])
        assert server.stop() == 0


def test_more_workers_than_cores_are_refused(environment: dict[str, str]) -> None:
    count = len(CORES) + 1
    pinned = {**environment, "PIN_WORKERS": "true"}
    ended = run_footnote("serve", "--port", "0", "--workers", str(count), environment=pinned, seconds=60)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended
    assert f"PIN_WORKERS=true: each of the processes of WORKERS={count} needs a core" in ended.stderr
