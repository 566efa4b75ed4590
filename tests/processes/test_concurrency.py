"""The admission queue: who goes next, how many wait and for how long, and that no slot is ever lost."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import errors
from app.concurrency import QUEUED_PER_SLOT, ConcurrencyLimiter


class Visitors:
    """A limiter and its visitors; `went` is the order in which they were admitted."""

    def __init__(self, at_once: int = 1, seconds: float = 60) -> None:
        self.gate = ConcurrencyLimiter("stand-in", at_once, seconds)
        self.at_once = at_once
        self.went: list[str] = []
        self.inside = 0
        self.most = 0

    async def visit(self, who: str, user: str | None, until: asyncio.Event | None = None, project: str = "") -> None:
        async with self.gate.hold_slot(None if user is None else (user, project)):
            self.went.append(who)
            self.inside += 1
            self.most = max(self.most, self.inside)
            try:
                await (until.wait() if until else asyncio.sleep(0))
            finally:
                self.inside -= 1

    @asynccontextmanager
    async def full(self) -> AsyncGenerator[None]:
        """Occupy all slots for the duration of the block."""
        async with AsyncExitStack() as stack:
            for _ in range(self.at_once):
                await stack.enter_async_context(self.gate.hold_slot(("held", "")))
            yield

    async def empty(self) -> bool:
        """Whether all slots are free and nobody is waiting."""
        async with asyncio.timeout(120), self.full():
            return self.gate.waiting_count == 0


async def queued(visitors: Visitors, *tasks: tuple[str, str | None]) -> list[asyncio.Task[None]]:
    """Queue visits in this order."""
    found = [asyncio.create_task(visitors.visit(who, lane)) for who, lane in tasks]
    await asyncio.sleep(0)
    assert visitors.gate.waiting_count == len(tasks)
    return found


async def test_a_hundred_requests_of_one_user_delay_anothers_first_by_at_most_one() -> None:
    visitors = Visitors(at_once=10)
    async with visitors.full():
        waiting = await queued(visitors, *((f"a{n}", "A") for n in range(100)), ("b", "B"), ("c", "C"))
    await asyncio.gather(*waiting)
    assert visitors.went[:4] == ["a0", "b", "c", "a1"]
    assert [who for who in visitors.went if who[0] == "a"] == [f"a{n}" for n in range(100)]
    assert visitors.most == 10
    assert await visitors.empty()


async def test_a_users_projects_count_together_and_take_turns() -> None:
    visitors = Visitors()
    async with visitors.full():
        tasks = [visitors.visit(f"a{n}", "A", project=f"p{n % 2 if n else 9}") for n in range(5)]
        waiting = [asyncio.create_task(task) for task in [*tasks, visitors.visit("b0", "B"), visitors.visit("b1", "B")]]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert visitors.went == ["a0", "b0", "a1", "b1", "a2", "a3", "a4"]
    assert await visitors.empty()


async def test_the_user_with_fewest_slots_goes_first() -> None:
    """A hundred requests of one user came first and hold all slots; a user who holds none is next."""
    visitors, leave = Visitors(at_once=3), [asyncio.Event() for _ in range(3)]
    held = [asyncio.create_task(visitors.visit(f"a{n}", "A", leave[n])) for n in range(3)]
    await asyncio.sleep(0)
    done = asyncio.Event()
    waiting = await queued(visitors, *((f"a{n}", "A") for n in range(3, 40)))
    late = [asyncio.create_task(visitors.visit(who, "B", done)) for who in ("b0", "b1")]
    await asyncio.sleep(0)
    leave[0].set()
    leave[1].set()
    await asyncio.gather(*held[:2])
    await asyncio.sleep(0)
    assert visitors.went[3:5] == ["b0", "a3"]
    done.set()
    leave[2].set()
    await asyncio.gather(*held, *waiting, *late)
    assert await visitors.empty()


async def test_requests_without_a_lane_go_first() -> None:
    visitors = Visitors()
    async with visitors.full():
        waiting = await queued(visitors, ("a", "A"), ("document", "documents"), ("query", None), ("another", None))
    await asyncio.gather(*waiting)
    assert visitors.went == ["query", "another", "a", "document"]


async def test_a_returning_lane_goes_to_the_back() -> None:
    visitors = Visitors()
    async with visitors.full():
        waiting = await queued(visitors, ("a0", "A"), ("a1", "A"), ("b0", "B"), ("b1", "B"), ("c0", "C"))
    await asyncio.gather(*waiting)
    assert visitors.went == ["a0", "b0", "c0", "a1", "b1"]


async def test_a_full_queue_refuses_at_once_and_the_longest_lane_gives_way() -> None:
    visitors = Visitors()
    async with visitors.full():
        waiting = await queued(visitors, *((f"a{n}", "A") for n in range(QUEUED_PER_SLOT)))
        with pytest.raises(errors.ModelUnavailable, match="too many requests are waiting") as caught:
            await visitors.visit("a too many", "A")
        assert caught.value.retry_after
        another = asyncio.create_task(visitors.visit("b", "B"))
        with pytest.raises(errors.ModelUnavailable, match="too many requests are waiting"):
            await waiting[-1]
        assert visitors.gate.waiting_count == QUEUED_PER_SLOT
    await asyncio.gather(another, *waiting[:-1])
    assert visitors.went[:2] == ["a0", "b"]
    assert await visitors.empty()


async def test_where_all_lanes_are_short_nobody_gives_way() -> None:
    visitors = Visitors()
    async with visitors.full():
        waiting = await queued(visitors, *((str(n), str(n)) for n in range(QUEUED_PER_SLOT)))
        with pytest.raises(errors.ModelUnavailable, match="too many requests are waiting"):
            await visitors.visit("one more", "another")
        with pytest.raises(errors.ModelUnavailable, match="too many requests are waiting"):
            await visitors.visit("one more", None)
    await asyncio.gather(*waiting)
    assert await visitors.empty()


async def test_waiting_has_a_time_limit() -> None:
    visitors = Visitors(seconds=0.01)
    async with visitors.full():
        with pytest.raises(errors.ModelUnavailable, match=r"no slot was free within 0\.01 seconds") as caught:
            await visitors.visit("a", "A")
        assert caught.value.retry_after
        assert visitors.gate.waiting_count == 0
    assert await visitors.empty()


async def test_the_number_of_those_who_wait_and_the_error_are_the_owners_choice() -> None:
    def busy(message: str, seconds: float) -> errors.Unavailable:
        return errors.Unavailable(message, "parsing", int(seconds * 1000))

    gate = ConcurrencyLimiter("The drawing", 1, 0.01, queued_per_slot=1, busy_error=busy)

    async def visit() -> None:
        async with gate.hold_slot(("A", "")):
            pass

    async with gate.hold_slot(("A", "")):
        waiting = asyncio.create_task(visit())
        await asyncio.sleep(0)
        with pytest.raises(errors.Unavailable, match="too many requests are waiting"):
            await visit()
        with pytest.raises(errors.Unavailable, match=r"no slot was free within 0\.01 seconds") as caught:
            await waiting
        assert caught.value.retry_after_ms == 5000
    await visit()


async def test_a_slot_granted_to_a_leaving_visitor_goes_to_the_next() -> None:
    visitors = Visitors()
    async with visitors.full():
        first, second = await queued(visitors, ("a", "A"), ("b", "B"))
    # The slot is a's already; it has not noticed yet.
    first.cancel()
    await asyncio.wait([first, second], timeout=120)
    assert first.cancelled()
    assert visitors.went == ["b"]
    assert await visitors.empty()


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 3),
    st.lists(st.tuples(st.sampled_from([None, "A", "B", "C"]), st.integers(0, 12)), max_size=QUEUED_PER_SLOT),
)
def test_cancellation_at_any_moment_loses_no_slot(at_once: int, visits: Sequence[tuple[str | None, int]]) -> None:
    """Each is cancelled after this many event loop steps (0: never)."""

    async def run() -> None:
        visitors = Visitors(at_once)
        tasks = [asyncio.create_task(visitors.visit(str(n), lane)) for n, (lane, _) in enumerate(visits)]
        for step in range(1, 13):
            await asyncio.sleep(0)
            for task, (_, when) in zip(tasks, visits, strict=True):
                if when == step:
                    task.cancel()
        done = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 120)
        for (_, when), ended in zip(visits, done, strict=True):
            assert ended is None or (when and isinstance(ended, asyncio.CancelledError))
        assert visitors.most <= at_once
        assert await visitors.empty()

    asyncio.run(run())
