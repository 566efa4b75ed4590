"""Fixtures: a server with the embedded models, shared by a module's tests, and a client for it."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from app.settings import Settings
from tests.graphql.access.people import World, peopled
from tests.graphql.client import Client
from tests.servers.openai import OpenAIServer
from tests.servers.running import running
from tests.serving import serve

Scripted = Callable[..., Client]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The server's database file."""
    return tmp_path_factory.mktemp("server") / "footnote.db"


@pytest.fixture(scope="module")
def server(database: Path) -> Generator[str]:
    """The server's address."""
    with serve(Settings.model_validate({"database_url": f"sqlite:///{database}", "max_upload_bytes": 100_000})) as url:
        yield url


@pytest.fixture
async def client(server: str) -> AsyncGenerator[Client]:
    """A client of `server`."""
    async with httpx.AsyncClient(timeout=120) as http:
        yield Client(http, server)


@pytest.fixture
async def scripted(tmp_path: Path) -> AsyncGenerator[Scripted]:
    """Start servers that use the test's own model."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        def start(model: OpenAIServer, **more: object) -> Client:
            stack.enter_context(running(model))
            values = {
                "database_url": f"sqlite:///{tmp_path / 'footnote.db'}",
                "openai_base_url": model.url,
                "chat_model": "openai/chat",
                **more,
            }
            return Client(http, stack.enter_context(serve(Settings.model_validate(values))))

        yield start


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Generator[World]:
    """Alice's project and everybody around it, on a server that requires sign-in."""
    with peopled(tmp_path_factory.mktemp("people")) as found:
        yield found
