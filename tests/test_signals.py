"""Signals between writers and readers of one process."""

import asyncio

import pytest

from app.signals import LocalSignal


@pytest.mark.parametrize("steps", range(6))
async def test_a_waiter_that_is_cancelled_while_it_is_rung_is_cancelled(steps: int) -> None:
    """A worker whose cancellation was lost would wait on, and the server would never stop."""
    signal = LocalSignal()
    began = asyncio.Event()

    async def work() -> None:
        with signal.watch("topic") as changes:
            began.set()
            while True:
                await changes.wait()

    worker = asyncio.create_task(work())
    await began.wait()
    await asyncio.sleep(0)
    signal.ring("topic")
    for _ in range(steps):
        await asyncio.sleep(0)
    worker.cancel()
    await asyncio.wait([worker], timeout=120)
    cancelled = worker.cancelled()
    worker.cancel()
    assert cancelled
