"""Ingestion scheduling: no project takes all workers, none waits in vain, and failing ones go last."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.concurrency import WaitingParty, next_served
from app.knowledge.ingestion.scheduling import SLOW_SECONDS, ProjectQueue, SlowProjects, next_project, waiting_time

START = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = st.sampled_from("abcdef")
COUNTS = st.integers(0, 20)
QUEUES = st.dictionaries(NAMES, st.tuples(COUNTS, COUNTS)).map(
    lambda found: [
        ProjectQueue(name, running, START + timedelta(seconds=since), 1) for name, (running, since) in found.items()
    ]
)


@given(st.dictionaries(NAMES, st.tuples(COUNTS, COUNTS, st.booleans())))
def test_the_project_with_fewest_running_goes_next_then_the_longest_waiting(
    found: dict[str, tuple[int, int, bool]],
) -> None:
    waiting = [WaitingParty(name, running, since, late) for name, (running, since, late) in found.items()]
    chosen = next_served(waiting)
    assert (chosen is None) == (not waiting)
    for other in waiting:
        assert chosen is not None
        assert (chosen.late, chosen.running, chosen.since) <= (other.late, other.running, other.since)


@given(QUEUES, st.lists(NAMES, max_size=8), st.frozensets(NAMES), st.integers(1, 8))
def test_no_project_takes_all_workers_and_slow_ones_leave_two_free(
    queues: list[ProjectQueue], busy: list[str], late: frozenset[str], workers: int
) -> None:
    held = Counter(busy[: workers - 1])
    chosen = next_project(queues, held, late, workers)
    if chosen is not None:
        assert chosen in {queue.project_id for queue in queues}
        assert held[chosen] + 1 <= max(1, workers - 1)
        if chosen in late and {chosen} != {queue.project_id for queue in queues} | set(held):
            assert sum(held[name] for name in late) + 1 <= max(1, workers - 2)
    newcomers = [queue for queue in queues if queue.project_id not in late and not held[queue.project_id]]
    if newcomers:  # a project that has no worker and did nothing wrong is never turned away, nor a late one preferred
        assert chosen is not None
        assert chosen not in late


def test_a_lone_project_gets_all_workers_but_one_even_with_slow_documents() -> None:
    slow, other = ProjectQueue("slow", 1, START, 1), ProjectQueue("other", 0, START, 1)
    late = frozenset({"slow"})
    assert next_project([slow], {"slow": 1}, late, workers=3) == "slow"
    assert next_project([slow], {"slow": 2}, late, workers=3) is None
    assert next_project([slow], {"slow": 1, "other": 1}, late, workers=3) is None
    assert next_project([slow, other], {"slow": 1}, late, workers=3) == "other"


@given(st.lists(st.tuples(NAMES, st.integers(1, 5)), max_size=20), st.integers(1, 5))
def test_everything_is_processed_in_any_order_of_arrival(arrivals: list[tuple[str, int]], workers: int) -> None:
    waiting = Counter[str]()
    for name, count in arrivals:
        waiting[name] += count
    busy = Counter[str]()
    served = 0
    total = waiting.total()
    while waiting.total() or busy.total():
        queues = [ProjectQueue(name, busy[name], START, count) for name, count in waiting.items() if count]
        chosen = next_project(queues, busy, frozenset(), workers) if busy.total() < workers else None
        if chosen is None:  # then somebody is being served, and ends
            ended = next(iter(busy.elements()))
            busy[ended] -= 1
            served += 1
        else:
            waiting[chosen] -= 1
            busy[chosen] += 1
    assert served == total


def test_slowness_is_forgotten_and_a_document_yields_once() -> None:
    now = 0.0
    lateness = SlowProjects(clock=lambda: now)
    lateness.record_slow("a")
    assert lateness.current_projects() == {"a"}
    assert [lateness.should_yield("x"), lateness.should_yield("x"), lateness.should_yield("y")] == [True, False, True]
    now = SLOW_SECONDS
    assert not lateness.current_projects()


def of_user(user: str, project: str, running: int = 0, since: int = 0, served: int | None = None) -> ProjectQueue:
    when = None if served is None else START + timedelta(seconds=served)
    return ProjectQueue(project, running, START + timedelta(seconds=since), 1, user, when)


@pytest.mark.parametrize("moved", ["queued", "served"])
def test_projects_take_turns_also_when_the_clock_is_set_back(moved: str) -> None:
    """Moments that are ahead of it put nobody behind all others until it has passed them."""
    now, day = START + timedelta(hours=1), timedelta(days=1)
    queued = {"a": now + day if moved == "queued" else START, "b": START}
    served: dict[str, datetime] = {"a": now + day} if moved == "served" else {}
    order = ""
    for second in range(6):
        now += timedelta(seconds=second)
        queues = [ProjectQueue(name, 0, waiting_time(queued[name], served.get(name), now), 9) for name in "ab"]
        chosen = next_project(queues, {}, frozenset(), workers=3)
        assert chosen is not None
        served[chosen] = now
        order += chosen
    assert order == "ababab"


def test_users_take_turns_before_their_projects_do() -> None:
    many = [of_user("kim", f"k{number}", served=9) for number in range(24)]
    other = of_user("bob", "b", since=5)
    assert next_project([*many, other], {}, frozenset(), 1) == "b", "kim was served after bob began to wait"
    processing = ProjectQueue("k", 1, None, 0, "kim")
    waiting = [of_user("kim", "k1", since=0), of_user("bob", "b", since=5)]
    assert next_project([processing, *waiting], {"k": 1}, frozenset(), 3) == "b", "kim has a worker, and bob has none"
    assert next_project([processing, waiting[0]], {"k": 2}, frozenset(), 3) is None, "kim may not have all workers"
    slow = of_user("bob", "b")
    assert next_project([slow, *many], {}, frozenset({"b"}), 3) == "k0"
    assert next_project([slow, of_user("bob", "b2", since=7), *many], {}, frozenset({"b"}), 3) == "b2"
    assert next_project([], {}, frozenset(), 3) is None
