"""Fixtures: settings for a database per test, and the real services on it."""

import asyncio
import io
import os
import uuid
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import hypothesis
import pytest

from app import errors, services
from app.accounts.redis_client import RedisClient
from app.settings import Settings
from tests import newest
from tests.answers import Start
from tests.graphql.client import Client
from tests.serving import serve
from tests.signed_in_server import SignedInServer, StartSignedIn, signed_in

# The same examples in every run, however busy the machine is: a run that was green stays so. `EXPLORE=1` tries others.
hypothesis.settings.register_profile(
    "footnote",
    deadline=None,
    derandomize=not os.environ.get("EXPLORE"),
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("footnote")

# Hundreds of servers and commands are started: they must not compile the same files again each time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A developer's own settings must not change what the tests see; nor must a project that no test made.
for _name in Settings.model_fields:
    os.environ.pop(_name.upper(), None)
os.environ["SAMPLE_PROJECT"] = "false"

_FORGET = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end"

MakeSettings = Callable[..., Settings]


def pytest_xdist_auto_num_workers() -> int:
    """How many processes `-n auto` starts: tests wait for servers, timers and browsers a third of their time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show what every task was waiting for when a test hung: the stack of the thread is only that of the event loop."""
    report = yield
    if call.excinfo is not None and str(call.excinfo.value).startswith("Timeout"):
        report.sections.append(("tasks", _stacks_of_tasks(item)))
    return report


def _stacks_of_tasks(item: pytest.Function) -> str:
    stacks = io.StringIO()
    for value in item.funcargs.values():
        if isinstance(value, asyncio.Runner):
            for task in asyncio.all_tasks(value.get_loop()):
                task.print_stack(file=stacks)
    return stacks.getvalue()


@pytest.fixture
def make_settings(tmp_path: Path) -> MakeSettings:
    """Make settings for this test's database; arguments override."""

    def make(**values: object) -> Settings:
        url = f"sqlite:///{tmp_path / 'footnote.db'}"
        if "database_url" not in values:
            newest.put(tmp_path / "footnote.db")
        return Settings.model_validate({"database_url": url, "port": 0, **values})

    return make


@pytest.fixture
async def footnote(make_settings: MakeSettings) -> AsyncGenerator[services.Backend]:
    """All services with the embedded models, without any API."""
    async with services.open_backend(make_settings(), "serve") as opened:
        yield opened


@pytest.fixture
async def start(make_settings: MakeSettings) -> AsyncGenerator[Start]:
    """Start a server with these settings on this test's database, and return its client."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        def served(**values: object) -> Client:
            return Client(http, stack.enter_context(serve(make_settings(**values))))

        yield served


@pytest.fixture
async def signed(make_settings: MakeSettings) -> AsyncGenerator[StartSignedIn]:
    """Start servers that require sign-in."""
    async with AsyncExitStack() as stack:

        async def start(**values: object) -> SignedInServer:
            return await stack.enter_async_context(signed_in(make_settings(require_sign_in=True, **values)))

        yield start


@pytest.fixture
async def make_remote() -> AsyncGenerator[Callable[[], RedisClient]]:
    """Make Redis clients, as several processes would have, under this test's own key prefix; skip without a Redis."""
    url, prefix = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379"), f"footnote-test-{uuid.uuid4().hex}:"
    made: list[RedisClient] = []

    def make() -> RedisClient:
        made.append(RedisClient(url, prefix, seconds=5))
        return made[-1]

    cleaner = make()
    try:
        await cleaner.ping()
    except errors.Unavailable:
        await cleaner.close()
        if os.environ.get("CI"):
            raise
        pytest.skip(f"no Redis answers at {url}; start one, or name another in TEST_REDIS_URL")
    yield make
    async with cleaner.commands() as connection:
        await connection.eval(_FORGET, 0, f"{prefix}*")
    for remote in made:
        await remote.close()
