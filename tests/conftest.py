"""Fixtures: settings for a database per test, and the real services on it."""

import asyncio
import gc
import io
import logging
import os
import uuid
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack
from functools import cache
from pathlib import Path

import httpx
import hypothesis
import pytest

from app import errors, services
from app.accounts.redis_client import RedisClient
from app.settings import Settings
from tests import newest, postgres
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

# A developer's own settings must not change what the tests see; nor must a project that no test made.
for _name in Settings.model_fields:
    os.environ.pop(_name.upper(), None)
os.environ["SAMPLE_PROJECT"] = "false"

# Reading all certificate authorities takes every client and server 30 ms. No test needs a public site.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "files" / "authority.pem")

_FORGET = "for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end"

# Test files, by their path here, that run on SQLite and on PostgreSQL. Tests with the mark `sqlite` are about its file,
# those with `one_database` about what neither decides.
ON_BOTH_DATABASES = {
    "accounts/test_accounts.py",
    "accounts/test_fair_users.py",
    "chat/test_followers.py",
    "database/test_original_checks.py",
    "database/test_unstorable.py",
    "database/transactions/test_brief_writes.py",
    "database/transactions/test_reads_and_writes.py",
    "events/test_paths.py",
    "events/test_webhooks.py",
    "graphql/chat/test_branch_trees.py",
    "graphql/chat/test_branches.py",
    "graphql/chat/test_clock.py",
    "graphql/chat/test_message_search.py",
    "graphql/chat/test_session_lists.py",
    "graphql/chat/test_turns.py",
    "graphql/documents/test_document_filter.py",
    "graphql/documents/test_pending_documents.py",
    "graphql/documents/test_projects.py",
    "graphql/documents/test_scripts.py",
    "graphql/documents/test_several_texts.py",
    "graphql/embedding_models/test_changed_model.py",
    "graphql/embedding_models/test_switching_models.py",
    "graphql/embedding_models/test_switching_obstacles.py",
    "graphql/embedding_models/test_switching_straddles.py",
    "ingestion/test_deleted_meanwhile.py",
    "ingestion/test_file_places.py",
    "ingestion/test_ingestion.py",
    "ingestion/test_project_deletion.py",
    "observation/test_observation.py",
    "processes/test_namespaces.py",
    "processes/test_workers.py",
    "prompt/test_history.py",
    "prompt/test_memories.py",
    "search/test_degradation.py",
    "search/test_keywords.py",
    "search/test_relevance.py",
    "search/test_search.py",
    "search/test_search_cache.py",
}

# What thousands of tests are loaded into is not garbage, and looking for some in it took a fifteenth of the time.
gc.disable()

MakeSettings = Callable[..., Settings]


def pytest_xdist_auto_num_workers() -> int:
    """How many processes `-n auto` starts: tests wait for servers, timers and browsers most of their time."""
    return (os.cpu_count() or 1) + 4


# Files that take longest, the longest first; whichever came last would keep one process busy while others are idle.
_FIRST = (
    "page/views/test_accessibility",
    "page/",
    "processes/test_several_processes",
    "test_torture",
    "processes/test_workers",
    "graphql/embedding_models/test_switching_processes",
    "cli/test_stalls",
    "processes/test_namespaces",
    "graphql/access/test_strangers",
    "graphql/access/test_invalid_credentials",
    "graphql/access/test_roles",
    "test_readme",
    "providers/test_model_processes",
    "cli/",
    "processes/test_interrupts",
    "clients/",
    "search/test_relevance",
    "database/migrations/",
    "prompt/test_counting",
    "test_patterns",
    "database/upkeep/",
    "search/test_degradation",
    "graphql/documents/test_pending_documents",
    "graphql/chat/test_branches",
    "graphql/access/test_isolation",
    "graphql/schema/test_random",
    "database/test_lost_database",
    "events/",
    "test_fuzz",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    return _place_of_file(item.path)


@cache
def _place_of_file(file: Path) -> int:
    path = file.relative_to(Path(__file__).parent).as_posix()
    return next((place for place, name in enumerate(_FIRST) if path.startswith(name)), len(_FIRST))


def pytest_collection_finish() -> None:
    """Collect garbage again, only what the tests make, and as seldom as a server does."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of ON_BOTH_DATABASES on both, except those that are about one of them."""
    if "database_url" not in metafunc.fixturenames:
        return
    place = metafunc.definition.path.relative_to(Path(__file__).parent).as_posix()
    is_of_one = any(map(metafunc.definition.get_closest_marker, ("sqlite", "one_database")))
    dialects = ["sqlite", "postgresql"] if place in ON_BOTH_DATABASES and not is_of_one else ["sqlite"]
    if os.environ.get("ONLY_ON"):  # to try other tests
        dialects = [os.environ["ONLY_ON"]]
    metafunc.parametrize("database_url", dialects, indirect=True)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    """This test's database, at the latest revision; what `ON_BOTH_DATABASES` names runs on each kind."""
    if request.param == "postgresql":
        with postgres.fresh_database() as url:
            yield url
    else:
        newest.put(tmp_path / "footnote.db")
        yield f"sqlite:///{tmp_path / 'footnote.db'}"


@pytest.fixture(autouse=True)
def _own_log() -> Generator[None]:  # pyright: ignore[reportUnusedFunction]
    """A command that a test runs in this process sends all logs to an output that ends with the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def make_settings(database_url: str) -> MakeSettings:
    """Make settings for this test's database; arguments override."""

    def make(**values: object) -> Settings:
        return Settings.model_validate({"database_url": database_url, "port": 0, **values})

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
        await cleaner.probe()
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
