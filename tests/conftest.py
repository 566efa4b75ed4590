"""Fixtures: settings over a database of one test, and the real services on it."""

import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from app import services
from app.settings import Settings
from tests.answer_room import Start
from tests.graphql.client import Client
from tests.serving import serve

# A developer's own settings must not change what the tests see.
for _name in Settings.model_fields:
    os.environ.pop(_name.upper(), None)

MakeSettings = Callable[..., Settings]


@pytest.fixture
def make_settings(tmp_path: Path) -> MakeSettings:
    """Settings over this test's database; arguments override."""

    def make(**values: object) -> Settings:
        url = f"sqlite:///{tmp_path / 'footnote.db'}"
        return Settings.model_validate({"database_url": url, "port": 0, **values})

    return make


@pytest.fixture
async def footnote(make_settings: MakeSettings) -> AsyncGenerator[services.Services]:
    """The whole house without its doors, with the embedded models."""
    async with services.open_services(make_settings(), "serve") as opened:
        yield opened


@pytest.fixture
async def start(make_settings: MakeSettings) -> AsyncGenerator[Start]:
    """Starts a server with these settings over this test's database; its client."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=30))

        def served(**values: object) -> Client:
            return Client(http, stack.enter_context(serve(make_settings(**values))))

        yield served
