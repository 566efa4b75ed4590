"""Fixtures: servers over a database of one test, and their OpenAI doors."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.openai_api.room import Door, settings
from tests.servers.running import StandIn
from tests.serving import serve

Start = Callable[..., Awaitable[Door]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncGenerator[Start]:
    """Starts a server that answers with a stand-in; its door, with `documents` in it."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=30))

        async def served(model: StandIn | None = None, documents: tuple[str, ...] = (), **more: Any) -> Door:
            given = more if model is None else settings(model, **more)
            values = Settings.model_validate({"database_url": f"sqlite:///{tmp_path / 'footnote.db'}", **given})
            door = Door(http, stack.enter_context(serve(values)))
            await door.fill(*documents)
            return door

        yield served
