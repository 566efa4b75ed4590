"""The supervisor of several workers: there are always as many as the settings say, whichever of them die."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.test_workers import children, environment, two_reached, workers

__all__ = ["environment"]


@pytest.mark.sqlite
async def test_workers_that_die_while_their_successors_start_have_one_successor_each(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with workers(tmp_path, environment) as server:
        async with two_reached(server):  # both serve
            former = await children(server, lambda found: len(found) == 2)
        server.process.send_signal(signal.SIGHUP)
        await children(server, lambda found: len(found) == 3)
        for worker in former:
            os.kill(int(worker), signal.SIGKILL)
        await server.until_logged("all workers are new")
        # A second successor would serve by now, and be replaced, too.
        server.process.send_signal(signal.SIGHUP)
        await server.until_logged("(?s)all workers are new.*all workers are new")
        async with asyncio.timeout(30):
            await children(server, lambda found: len(found) == 2)
