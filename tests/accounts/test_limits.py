"""Usage limits: sliding windows, counters shared between processes, sign-in attempts."""

import asyncio
import hashlib
import math
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from app import errors
from app.accounts.limits.counters import (
    DatabaseCounters,
    LimitWindow,
    LocalCounters,
    UsageCounters,
    bucket,
    seconds_until_fit,
)
from app.accounts.limits.redis_counters import RedisCounters
from app.accounts.limits.usage import ACCOUNT_WINDOWS, Attempts, UsageLimits
from app.accounts.redis_client import RedisClient
from app.database import models
from tests.accounts.account_services import PASSWORD, open_account_services, open_database
from tests.looking import until

HOUR = LimitWindow(5, 3600)
DAY = LimitWindow(8, 86_400)

ACCOUNT = f"sign-in:account:{hashlib.sha256(b'kim@example.org').hexdigest()[:32]}"

Processes = list[UsageCounters]


@pytest.fixture(params=["local", "database", "redis"])
async def processes(
    request: pytest.FixtureRequest, tmp_path: Path, make_remote: Callable[[], RedisClient]
) -> AsyncGenerator[Processes]:
    """The same counters as two processes see them; local counters have one view."""
    async with AsyncExitStack() as stack:
        match request.param:
            case "database":
                opened = [await stack.enter_async_context(open_database(tmp_path)) for _ in range(2)]
                yield [DatabaseCounters(database) for database in opened]
            case "redis":
                yield [RedisCounters(make_remote()) for _ in range(2)]
            case _:
                yield [LocalCounters()] * 2


@pytest.fixture
async def counters(processes: Processes) -> UsageCounters:
    return processes[0]


async def test_the_limit_is_exact_in_every_store(processes: Processes) -> None:
    granted = [await counters.take("kim", 1, [HOUR]) for counters in processes for _ in range(4)]
    assert granted[:5] == [0.0] * 5
    assert all(0 < seconds <= 3600 * 2 for seconds in granted[5:])
    assert await processes[0].take("pat", 5, [HOUR]) == 0


async def test_concurrent_requests_get_the_same_limit_as_sequential_ones(processes: Processes) -> None:
    taken = await asyncio.gather(*(counters.take("kim", 1, [HOUR]) for counters in processes for _ in range(10)))
    assert sum(seconds == 0 for seconds in taken) == 5


async def test_simultaneous_requests_do_not_each_count_a_share_in_advance(tmp_path: Path) -> None:
    """A share is a twentieth, so that twenty of them would be the whole bound."""
    moments = [59.0]
    async with open_database(tmp_path) as database:
        counters, minute = DatabaseCounters(database, clock=lambda: moments[0]), [LimitWindow(1200, 60)]
        assert await asyncio.gather(*(counters.take("kim", 1, minute) for _ in range(40))) == [0.0] * 40
        moments[0] = 61.0  # what was counted in advance and not used counts as used
        assert await asyncio.gather(*(counters.take("kim", 1, minute) for _ in range(600))) == [0.0] * 600


async def test_a_request_refused_by_one_window_is_counted_in_none(counters: UsageCounters) -> None:
    for _ in range(5):
        assert await counters.take("kim", 1, [HOUR, DAY]) == 0
    for _ in range(10):
        assert await counters.take("kim", 1, [HOUR, DAY]) > 0
    # 5 of 8 a day were used, though 15 were asked for.
    assert await counters.take("kim", 3, [DAY]) == 0
    assert await counters.take("kim", 1, [DAY]) > 0


async def test_a_request_over_the_whole_limit_is_refused_and_costs_nothing(counters: UsageCounters) -> None:
    assert await counters.take("kim", 6, [HOUR]) > 0
    assert await counters.take("kim", 5, [HOUR]) == 0


async def test_earlier_use_counts_and_refunds_do_not(counters: UsageCounters) -> None:
    await counters.add("kim", 50, [HOUR])
    assert await counters.take("kim", 1, [HOUR]) > 0
    await counters.add("kim", -47, [HOUR])
    assert await counters.take("kim", 2, [HOUR]) == 0
    assert await counters.take("kim", 1, [HOUR]) > 0
    await counters.add("kim", -100, [HOUR])
    assert await counters.take("kim", 5, [HOUR]) == 0
    await counters.clear("kim")
    assert await counters.take("kim", 5, [HOUR]) == 0


async def test_allowance_returns_with_time(make_remote: Callable[[], RedisClient]) -> None:
    counters, window = RedisCounters(make_remote()), LimitWindow(2, 1)
    assert await counters.take("kim", 2, [window]) == 0
    seconds = await counters.take("kim", 1, [window])
    assert 0 < seconds <= 2
    began = time.monotonic()

    async def granted() -> bool:
        return await counters.take("kim", 1, [window]) == 0

    await until(granted)
    # Not before it was said, give or take the clock's grain.
    assert time.monotonic() - began >= seconds - 0.05


async def test_a_large_limit_needs_few_writes_and_still_holds(tmp_path: Path) -> None:
    window = LimitWindow(1000, 86_400)
    async with open_database(tmp_path) as here, open_database(tmp_path) as there:
        first, second = DatabaseCounters(here), DatabaseCounters(there)

        async def counted() -> int:
            async with here.read() as db:
                return (await db.execute(text("SELECT coalesce(sum(amount), 0) FROM usage_counts"))).scalar_one()

        for _ in range(50):
            assert await first.take("kim", 1, [window]) == 0
        assert await counted() == 50
        await first.take("kim", 1, [window])
        assert await counted() == 100
        # What is taken ahead goes back when it turns out what was used.
        await first.add("kim", 10, [window])
        assert await counted() == 61
        await first.add("kim", -10, [window])
        granted = 51
        for counters in (second, first):
            while await counters.take("kim", 1, [window]) == 0:
                granted += 1
        assert granted == 1000
        # Asked again at once, it is known without asking the database.
        async with here.begin():
            assert await first.take("kim", 1, [window]) > 0


async def test_expired_counts_are_deleted(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        async with database.begin() as db:
            db.add(models.UsageCount(key="old", seconds=60, bucket=1, amount=5, counts_until=180))
        await DatabaseCounters(database).take("kim", 1, [HOUR])
        async with database.read() as db:
            assert (await db.execute(text("SELECT key FROM usage_counts"))).scalars().all() == ["kim"]


@given(
    st.builds(LimitWindow, st.integers(1, 50), st.integers(1, 1000)),
    st.integers(1, 60),
    st.integers(0, 60),
    st.integers(0, 60),
    st.floats(0, 1e6),
)
def test_the_announced_wait_is_exact(window: LimitWindow, amount: int, before: int, current: int, now: float) -> None:
    def fits(at: float) -> bool:
        """The sliding-window rule computed independently, by the share of each window within the last `seconds`."""
        start = bucket(window, now) * window.seconds
        old, young = (before, current) if at < start + window.seconds else (current, 0)
        begun = start if at < start + window.seconds else start + window.seconds
        return young + amount + old * max(0.0, 1 - (at - begun) / window.seconds) <= window.max_amount + 1e-6

    seconds = seconds_until_fit(window, amount, before, current, now)
    assert (seconds == 0) == fits(now) or abs(seconds) < 1e-3
    if amount <= window.max_amount:
        assert fits(now + seconds + 1e-6)
        assert seconds < 1e-3 or not fits(now + seconds - 1e-3) or window.max_amount - amount - current >= -1e-3


async def test_redis_computes_the_same_waits(make_remote: Callable[[], RedisClient]) -> None:
    remote = make_remote()
    counters = RedisCounters(remote)
    for number, (before, current, amount) in enumerate(
        [(5, 0, 1), (10, 1, 2), (3, 3, 3), (0, 5, 1), (40, 5, 1), (0, 0, 6), (1, 0, 1), (20, 4, 1)]
    ):
        # Long ones: none of them ends while this runs.
        for window in (LimitWindow(5, 1_000_000), LimitWindow(5, 10_000_000)):
            at = bucket(window, time.time())
            key = f"{number}-{window.seconds}"
            fields = {f"{window.seconds}:{at - 1}": before, f"{window.seconds}:{at}": current}
            async with remote.commands() as redis:
                await redis.hset(
                    f"{remote.prefix}count:{key}", mapping={name: str(value) for name, value in fields.items()}
                )
            said = await counters.take(key, amount, [window])
            assert said == pytest.approx(seconds_until_fit(window, amount, before, current, time.time()), abs=1.0)


async def test_keys_in_redis_expire_and_keep_two_windows(make_remote: Callable[[], RedisClient]) -> None:
    remote = make_remote()
    counters = RedisCounters(remote)
    async with remote.commands() as redis:
        await redis.hset(f"{remote.prefix}count:kim", mapping={"3600:1": "5", "86400:1": "5"})
        await counters.take("kim", 1, [HOUR, DAY])
        assert 0 < await redis.ttl(f"{remote.prefix}count:kim") <= 2 * 86_400
        assert sorted((await redis.hgetall(f"{remote.prefix}count:kim")).values()) == ["1", "1"]


# ------------------------------------------------------------------ what is limited


async def test_a_limited_user_is_told_the_limit_and_the_wait(counters: UsageCounters) -> None:
    limits = UsageLimits(
        counters, {"requests": [LimitWindow(2, 60), LimitWindow(1000, 86_400)], "tokens": [LimitWindow(100, 86_400)]}
    )
    await limits.spend("requests", "kim")
    await limits.spend("requests", "kim")
    with pytest.raises(errors.RateLimited, match="at most 2 in one minute, 1,000 in one day are allowed") as raised:
        await limits.spend("requests", "kim")
    assert 0 < raised.value.retry_after_ms <= 120_000
    await limits.spend("requests", "pat")
    await limits.spend("tokens", "kim", 1)
    await limits.record("tokens", "kim", 120)
    with pytest.raises(errors.RateLimited):
        await limits.spend("tokens", "kim", 1)
    await limits.record("tokens", "kim", -30)
    await limits.spend("tokens", "kim", 1)
    await limits.spend("nothing that is bounded", "kim", 10**9)


async def test_an_account_is_slowed_down_and_locked_whether_it_exists_or_not(
    counters: UsageCounters, tmp_path: Path
) -> None:
    async with open_account_services(tmp_path, counters=counters) as accounts:
        user = await accounts.kim()
        waits: dict[str, list[int]] = {user.email: [], "nobody@example.org": []}
        for email, told in waits.items():
            for _ in range(3):
                with pytest.raises(errors.Invalid):
                    await accounts.signing_in.sign_in(email, "wrong password")
            with pytest.raises(errors.RateLimited) as raised:
                # The right one too: an attempt that is not allowed is not looked at.
                await accounts.signing_in.sign_in(email.upper(), PASSWORD)
            told.append(raised.value.retry_after_ms)
            seconds = math.ceil(told[0] / 1000)
            assert raised.value.message == f"Too many attempts to sign in; try again in {seconds} seconds."
        known, unknown = (told[0] for told in waits.values())
        assert 0 < known <= 10_000
        assert 0 < unknown <= 10_000


async def test_wrong_attempts_make_the_wait_grow_and_a_right_one_resets_it(counters: UsageCounters) -> None:
    attempts = Attempts(counters, [LimitWindow(2, 5), LimitWindow(3, 3600)])

    async def told() -> int:
        with pytest.raises(errors.RateLimited) as raised:
            await attempts.begin("kim@example.org", None)
        return raised.value.retry_after_ms

    await attempts.begin("kim@example.org", None)
    attempt = await attempts.begin("kim@example.org", None)
    assert 0 < await told() <= 10_000
    # As if the third had come after that wait.
    await counters.add(ACCOUNT, 1, [LimitWindow(3, 3600)])
    assert await told() > 10_000
    await attempts.succeeded(attempt)
    await attempts.begin("kim@example.org", None)


async def test_an_address_is_limited_across_accounts_without_locking_them(counters: UsageCounters) -> None:
    attempts = Attempts(counters, account_windows=[HOUR], address_windows=[LimitWindow(3, 3600)])
    of_users = [await attempts.begin(f"user-{n}@example.org", "2001:db8::1") for n in range(3)]
    for n in range(10):
        # Another address of the same /64.
        with pytest.raises(errors.RateLimited):
            await attempts.begin("victim@example.org", f"2001:db8::{n + 2}")
    for n in range(5):
        await attempts.begin("victim@example.org", f"192.0.2.{n}")
    for address in ("192.0.2.1", "::ffff:192.0.2.1"):
        await attempts.begin(f"{address}@example.org", address)
    with pytest.raises(errors.RateLimited):
        await attempts.begin("mapped@example.org", "::ffff:192.0.2.1")
    await attempts.begin("odd@example.org", "no address at all")
    await attempts.succeeded(of_users[0])
    with pytest.raises(errors.RateLimited):
        await attempts.begin("user-0@example.org", "2001:db8::1")


async def test_concurrent_guesses_are_all_counted(counters: UsageCounters, tmp_path: Path) -> None:
    async with open_account_services(tmp_path, counters=counters) as accounts:
        user = await accounts.kim()
        guesses = [accounts.signing_in.sign_in(user.email, f"guess number {n}") for n in range(100)]
        done = await asyncio.gather(*guesses, return_exceptions=True)
        assert sum(isinstance(one, errors.Invalid) for one in done) <= 3
        assert sum(isinstance(one, errors.RateLimited) for one in done) >= 97


async def test_strangers_who_guess_keep_nobody_out_who_signed_in_from_their_address_before(
    counters: UsageCounters, tmp_path: Path
) -> None:
    async with open_account_services(tmp_path, counters=counters) as accounts:
        user, sign_in = await accounts.kim(), accounts.signing_in.sign_in
        own, strange = ("192.0.2.1", "2001:db8:1::1"), "198.51.100.7"
        for address in own:
            await sign_in(user.email, PASSWORD, address)
        await counters.add(ACCOUNT, 50, ACCOUNT_WINDOWS)  # as after as many guesses as a day allows
        for address in (*own, "2001:db8:1::2"):  # and from the same network
            for _ in range(2):
                await sign_in(user.email.upper(), PASSWORD, address)
        with pytest.raises(errors.RateLimited):
            await sign_in(user.email, PASSWORD, strange)
        # Guesses from there are counted as strictly.
        for _ in range(3):
            with pytest.raises(errors.Invalid):
                await sign_in(user.email, "wrong password", own[0])
        with pytest.raises(errors.RateLimited):
            await sign_in(user.email, PASSWORD, own[0])
        await sign_in(user.email, PASSWORD, own[1])


async def test_signing_in_many_times_with_the_right_password_locks_nobody_out(
    counters: UsageCounters, tmp_path: Path
) -> None:
    async with open_account_services(tmp_path, counters=counters) as accounts:
        user = await accounts.kim()
        for _ in range(12):
            await accounts.signing_in.sign_in(user.email, PASSWORD)


async def test_a_clock_set_back_does_not_prolong_refusals(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        hours = [100.0]
        counters = DatabaseCounters(database, share=0, clock=lambda: hours[0] * 3600)
        assert await counters.take("kim", 5, [HOUR]) == 0
        assert 0 < await counters.take("kim", 1, [HOUR]) <= 7200
        hours[0] = 76.0
        assert await counters.take("kim", 1, [HOUR]) == 0, "a day earlier, nothing has been used yet"
