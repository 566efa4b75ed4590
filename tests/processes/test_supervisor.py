"""The supervisor of several workers: there are always as many as the settings say, whichever of them die."""

import asyncio
import os
import signal
import socket
from asyncio.subprocess import Process
from pathlib import Path
from typing import cast

import pytest

from app.cli.server.messages import MessageChannel
from app.cli.server.supervisor import WorkerProcess
from tests.processes.test_workers import children, environment, two_reached, workers

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


async def test_a_worker_whose_metrics_two_ask_for_at_once_keeps_neither_waiting() -> None:
    channel, other = [await MessageChannel.open(end) for end in socket.socketpair()]
    worker = WorkerProcess(cast("Process", None), channel, 0, 0, sample_seconds=3600)

    async def answer() -> None:
        while await other.receive() is not None:
            other.send("sampled", families=[])

    async def listen() -> None:
        while (message := await channel.receive()) is not None:
            worker.take_metrics(message)

    both = [asyncio.create_task(answer()), asyncio.create_task(listen())]
    try:
        async with asyncio.timeout(30):
            await asyncio.gather(worker.ask_for_metrics(), worker.ask_for_metrics())
    finally:
        channel.close()
        other.close()
        await asyncio.gather(*both)
