"""Sign-ins in the database and in Redis pass the same tests; and Redis may be killed halfway."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app import errors
from app.accounts import tokens
from app.accounts.limits.counters import DatabaseCounters, LimitWindow
from app.accounts.limits.fallback_counters import FallbackCounters
from app.accounts.limits.redis_counters import RedisCounters
from app.accounts.limits.usage import UsageLimits
from app.accounts.redis_client import RedisClient
from app.accounts.sign_ins.redis_store import RedisSignIns
from app.accounts.sign_ins.store import DatabaseSignIns, Lifetime, SignIns
from app.database import models
from app.database.protocol import Database
from tests.accounts.account_services import PASSWORD, open_account_services, open_database
from tests.looking import until
from tests.servers.redis import RedisServer

SHORT = Lifetime(timedelta(seconds=0.4), timedelta(hours=1))
# Long enough for a busy machine to use it in time.
USED = Lifetime(timedelta(seconds=2), timedelta(hours=1))
ENDING = Lifetime(timedelta(hours=1), timedelta(seconds=0.3))


@dataclass
class Store:
    """A sign-in store with any lifetime."""

    kim: str
    pat: str
    database: Database
    keeps: Callable[[Lifetime], SignIns]


@pytest.fixture(params=["database", "redis"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, make_remote: Callable[[], RedisClient]
) -> AsyncGenerator[Store]:
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(tmp_path))
        if request.param == "redis":
            remote = make_remote()
            yield Store("kim", "pat", database, lambda lifetime: RedisSignIns(remote, lifetime))
            return
        users = [models.User(email=f"{name}@example.org") for name in ("kim", "pat")]
        async with database.begin() as db:
            db.add_all(users)
        yield Store(users[0].id, users[1].id, database, lambda lifetime: DatabaseSignIns(database, lifetime))


async def test_a_sign_in_is_found_by_its_token_until_it_is_closed(store: Store) -> None:
    sign_ins = store.keeps(Lifetime())
    token, opened = await sign_ins.open(store.kim, 3, "192.0.2.7")
    other, _ = await sign_ins.open(store.kim, 3)
    pats, _ = await sign_ins.open(store.pat, 0)
    found = await sign_ins.find(token)
    assert found is not None
    assert (found.id, found.user_id, found.generation, found.address) == (opened.id, store.kim, 3, "192.0.2.7")
    assert found.expires_at == pytest.approx(opened.expires_at, abs=timedelta(seconds=1))
    assert timedelta(days=13) < found.expires_at - models.now() <= timedelta(days=14)
    assert await sign_ins.find(tokens.new_token("signin")) is None
    assert [sign_in.id for sign_in in await sign_ins.sign_ins_of_user(store.kim)][1:] == [opened.id]
    by_id = [await sign_ins.find_by_id(user, opened.id) for user in (store.kim, store.pat)]
    assert [each and (each.id, each.generation) for each in by_id] == [(opened.id, 3), None]
    async with store.database.read() as db:
        assert [await sign_ins.is_open(db, user, opened.id) for user in (store.kim, store.pat)] == [True, False]
    assert [await sign_ins.close(token) for _ in range(2)] == [True, False]
    assert await sign_ins.find(token) is None
    assert await sign_ins.find_by_id(store.kim, opened.id) is None
    async with store.database.read() as db:
        assert not await sign_ins.is_open(db, store.kim, opened.id)
    assert len(await sign_ins.sign_ins_of_user(store.kim)) == 1
    await sign_ins.close_all(store.kim)
    assert await sign_ins.find(other) is None
    assert await sign_ins.sign_ins_of_user(store.kim) == []
    assert await sign_ins.find(pats) is not None


async def test_a_sign_in_that_is_not_used_expires(store: Store) -> None:
    sign_ins = store.keeps(SHORT)
    await sign_ins.open(store.kim, 0)

    async def gone() -> bool:
        return await sign_ins.sign_ins_of_user(store.kim) == []

    await until(gone)


async def test_a_used_sign_in_is_extended_up_to_a_maximum(store: Store) -> None:
    sign_ins = store.keeps(USED)
    token, opened = await sign_ins.open(store.kim, 0)

    async def outlives() -> bool:
        found = await sign_ins.find(token)
        assert found is not None
        return models.now() > opened.expires_at + timedelta(seconds=0.2)

    await until(outlives)
    ending = store.keeps(ENDING)
    token, opened = await ending.open(store.kim, 0)
    assert opened.expires_at - models.now() < timedelta(seconds=1)

    async def ends() -> bool:
        return await ending.find(token) is None

    await until(ends)


async def test_the_oldest_of_too_many_end(store: Store) -> None:
    """Redis looks at them only now and then."""
    sign_ins = store.keeps(Lifetime(max_count=50))
    pats, _ = await sign_ins.open(store.pat, 0)
    first, *_, last = [(await sign_ins.open(store.kim, 0))[0] for _ in range(200)]
    assert await sign_ins.find(first) is None
    assert await sign_ins.find(last) is not None
    assert await sign_ins.find(pats) is not None
    assert len(await sign_ins.sign_ins_of_user(store.kim)) == 50


async def test_uses_are_written_only_when_due() -> None:
    now = models.now()
    lifetime = Lifetime(timedelta(days=14), timedelta(days=90))
    ends_at = now + timedelta(days=80)
    assert not lifetime.needs_renewal(now + timedelta(days=14) - timedelta(minutes=59), now, ends_at)
    assert lifetime.needs_renewal(now + timedelta(days=14) - timedelta(minutes=61), now, ends_at)
    assert not lifetime.needs_renewal(now + timedelta(days=3), now, now + timedelta(days=3))


async def test_redis_holds_no_token(make_remote: Callable[[], RedisClient]) -> None:
    remote = make_remote()
    token, _ = await RedisSignIns(remote).open("kim", 0, "192.0.2.7")
    kept: list[str] = []
    async with remote.commands() as connection:
        for key in await connection.eval("return redis.call('KEYS', ARGV[1])", 0, f"{remote.prefix}*"):
            kept += [str(key), str(await connection.dump(key))]
    assert len(kept) == 4
    assert not [one for one in kept if token in one or token[-20:] in one]
    assert any(tokens.hash_token(token) in one for one in kept)


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"\xff\xfe",
        b"null",
        b"[]",
        b"{}",
        b'"text"',
        b"[" * 100_000,
        b'{"id": "a"}',
        {"created_at": "yesterday"},
        {"expires_at": 1e300},
        {"ends_at": float("nan")},
        {"id": 7},
        {"user_id": None},
        {"user_id": "half \ud800"},
        {"generation": "0"},
        {"generation": True},
        {"address": ["192.0.2.7"]},
    ],
)
async def test_a_value_that_is_not_a_sign_in_is_refused(
    make_remote: Callable[[], RedisClient], tmp_path: Path, written: Any
) -> None:
    remote = make_remote()
    sign_ins = RedisSignIns(remote)
    async with open_account_services(tmp_path, sign_ins=sign_ins) as accounts:
        user = await accounts.kim()
        token, _ = await sign_ins.open(user.id, 0)
        key = f"{remote.prefix}sign-in:{tokens.hash_token(token)}"
        async with remote.commands() as connection:
            kept = json.loads(await connection.get(key) or "{}")
            value = json.dumps({**kept, **written}) if isinstance(written, dict) else written
            await connection.set(key, value)
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(token)
        assert await sign_ins.sign_ins_of_user(user.id) == []
        await sign_ins.close_all(user.id)


async def test_a_key_of_another_type_is_refused(make_remote: Callable[[], RedisClient]) -> None:
    remote = make_remote()
    sign_ins, token = RedisSignIns(remote), tokens.new_token("signin")
    async with remote.commands() as connection:
        await connection.lpush(f"{remote.prefix}sign-in:{tokens.hash_token(token)}", "a list")
    assert await sign_ins.find(token) is None


async def test_a_user_signs_in_by_redis_and_a_changed_password_ends_it(
    make_remote: Callable[[], RedisClient], tmp_path: Path
) -> None:
    remote = make_remote()
    counters = FallbackCounters(RedisCounters(remote))
    async with open_account_services(tmp_path, sign_ins=RedisSignIns(remote), counters=counters) as accounts:
        user = await accounts.kim()
        signed_in = await accounts.signing_in.sign_in(user.email, PASSWORD)
        assert (await accounts.authentication.authenticate(signed_in.token)).user.id == user.id
        assert await accounts.count("sign_ins") == 0
        assert len((await accounts.personal.export_user(user.id))["sign_ins"]) == 1
        await accounts.users.set_password(user.id, "another password")
        assert await accounts.sign_ins.sign_ins_of_user(user.id) == []
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(signed_in.token)


# ------------------------------------------------------------------ a Redis that is killed


async def test_a_killed_redis_lets_nobody_in(redis_server: RedisServer, tmp_path: Path) -> None:
    remote = RedisClient(redis_server.url)
    async with open_account_services(tmp_path, sign_ins=RedisSignIns(remote), cache_seconds=0) as accounts:
        user = await accounts.kim()
        signed_in = await accounts.signing_in.sign_in(user.email, PASSWORD)
        kept = signed_in.token
        token, _ = await accounts.access_tokens.create(user.id, "script")
        await accounts.authentication.authenticate(kept)
        redis_server.kill()
        for attempt in (
            accounts.authentication.authenticate(kept),
            accounts.authentication.authenticate(tokens.new_token("signin")),
            accounts.signing_in.sign_in(user.email, PASSWORD),
            accounts.signing_in.sign_out(kept, user.id),
        ):
            with pytest.raises(errors.Unavailable) as raised:
                await attempt
            assert (raised.value.service, raised.value.retry_after_ms) == ("redis", 1000)
        with pytest.raises(errors.Invalid):
            await accounts.signing_in.sign_in(user.email, "wrong password")
        assert (await accounts.authentication.authenticate(token)).user.id == user.id
        # Though the server is down the change holds: a copy of the old sign-in that comes back with it is void.
        await accounts.users.set_password(user.id, "another password")
        redis_server.start()
        revived = {"id": "1", "user_id": user.id, "generation": 0, "address": None}
        times = {
            name: (models.now() + timedelta(hours=1)).timestamp() for name in ("created_at", "expires_at", "ends_at")
        }
        async with remote.commands() as connection:
            await connection.set(f"{remote.prefix}sign-in:{tokens.hash_token(kept)}", json.dumps(revived | times))
        assert await accounts.sign_ins.find(kept) is not None
        with pytest.raises(errors.Unauthenticated):
            await accounts.authentication.authenticate(kept)
        again = await accounts.signing_in.sign_in(user.email, "another password")
        assert (await accounts.authentication.authenticate(again.token)).user.id == user.id
    await remote.close()


async def test_a_sign_in_among_many_is_found_at_once(redis_server: RedisServer) -> None:
    """A program may sign in thousands of times; each signed URL that its user opens asks for one of them."""
    remote = RedisClient(redis_server.url)
    sign_ins = RedisSignIns(remote)
    opened = [(await sign_ins.open("kim", 1))[1] for _ in range(250)]

    async def commands() -> int:
        connection: Any = remote.redis
        return int((await connection.info("stats"))["total_commands_processed"])

    before = await commands()
    assert await sign_ins.find_by_id("kim", opened[7].id) == opened[7]
    assert await sign_ins.find_by_id("pat", opened[7].id) is None
    assert await sign_ins.find_by_id("kim", "unknown") is None
    assert await commands() - before <= 6
    assert [each.id for each in await sign_ins.sign_ins_of_user("kim")] == sorted(
        (each.id for each in opened), reverse=True
    )
    assert await commands() - before <= 10
    await remote.close()


async def test_those_that_have_ended_are_forgotten(redis_server: RedisServer) -> None:
    remote = RedisClient(redis_server.url)
    sign_ins = RedisSignIns(remote)
    for _ in range(250):
        token, _ = await sign_ins.open("kim", 1)
        await sign_ins.close(token)
    connection: Any = remote.redis
    (key,) = [key async for key in connection.scan_iter("*kim")]
    assert await connection.hlen(key) < 150
    await remote.close()


async def test_limits_hold_while_redis_is_down_and_count_earlier_use(
    redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    remote = RedisClient(redis_server.url)
    shared = FallbackCounters(RedisCounters(remote), retry_seconds=0.3)
    limits = UsageLimits(shared, {"requests": [LimitWindow(10, 86_400)]})
    caplog.set_level(logging.WARNING, "app.accounts")

    async def spend(times: int) -> int:
        done = await asyncio.gather(*(limits.spend("requests", "kim") for _ in range(times)), return_exceptions=True)
        assert all(one is None or isinstance(one, errors.RateLimited) for one in done)
        return sum(one is None for one in done)

    assert await spend(4) == 4
    redis_server.kill()
    assert await spend(20) == 6
    assert await spend(20) == 0
    await limits.record("requests", "kim", -1)
    assert await spend(20) == 1
    assert shared.degraded
    assert [record.getMessage() for record in caplog.records] == [
        "rate limits are no longer shared between processes: Redis does not respond as expected: ConnectionError."
    ]
    redis_server.start()

    async def together() -> bool:
        await limits.record("requests", "pat", 1)
        return not shared.degraded

    await until(together)
    # It came back empty.
    assert await spend(20) == 10
    assert len(caplog.records) == 2
    await remote.close()


async def test_guesses_are_limited_while_redis_is_down(redis_server: RedisServer, tmp_path: Path) -> None:
    remote = RedisClient(redis_server.url)
    async with open_account_services(tmp_path, counters=FallbackCounters(RedisCounters(remote))) as accounts:
        user = await accounts.kim()
        redis_server.kill()
        guesses = [accounts.signing_in.sign_in(user.email, f"guess number {n}") for n in range(30)]
        done = await asyncio.gather(*guesses, return_exceptions=True)
        assert sorted({type(one).__name__ for one in done}) == ["Invalid", "RateLimited"]
        assert sum(isinstance(one, errors.Invalid) for one in done) == 3
    await remote.close()


async def test_limits_hold_while_the_database_cannot_be_written(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        limits = UsageLimits(FallbackCounters(DatabaseCounters(database)), {"requests": [LimitWindow(3, 86_400)]})
        await limits.spend("requests", "kim")
        async with database.begin() as db:
            # As on a disk that has become read-only: this is the one connection that writes.
            await db.execute(text("PRAGMA query_only=ON"))
        for _ in range(2):
            await limits.spend("requests", "kim")
        with pytest.raises(errors.RateLimited):
            await limits.spend("requests", "kim")


@pytest.mark.parametrize("url", ["", "nonsense", "http://localhost", "redis://localhost:port"])
def test_a_wrong_url_says_what_is_allowed(url: str) -> None:
    with pytest.raises(errors.StartError, match="REDIS_URL is not a Redis URL"):
        RedisClient(url)


async def test_a_server_that_is_not_redis_is_reported_unavailable_in_time(tmp_path: Path) -> None:
    async def silent(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await stop.wait()
        finally:
            writer.close()

    stop = asyncio.Event()
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        remote = RedisClient(f"redis://:a-secret@127.0.0.1:{port}/0", seconds=0.1)
        async with asyncio.timeout(120):
            with pytest.raises(errors.Unavailable) as raised:
                await remote.probe()
        assert "secret" not in raised.value.message
        assert str(port) not in raised.value.message
        stop.set()
        await remote.close()
