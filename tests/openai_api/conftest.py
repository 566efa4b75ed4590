"""Fixtures: servers with a database per test, clients of their OpenAI API, and a client in Node."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.node import node_with_packages
from tests.openai_api.api import KAITO, OpenAIAPI, settings
from tests.servers.running import StandIn
from tests.serving import serve

Start = Callable[..., Awaitable[OpenAIAPI]]
NodeClient = Callable[..., Awaitable[Any]]
NODE = Path(__file__).parent / "node"


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the project "Docs" and KAITO in it, shared because processing takes a second."""
    path = tmp_path_factory.mktemp("filled") / "footnote.db"

    async def fill(url: str) -> None:
        async with httpx.AsyncClient(timeout=120) as http:
            await OpenAIAPI(http, url).fill(KAITO)

    with serve(Settings.model_validate({"database_url": f"sqlite:///{path}"})) as url:
        asyncio.run(fill(url))
    return path


@pytest.fixture
async def start(tmp_path: Path, filled: Path) -> AsyncGenerator[Start]:
    """Start a server that uses a stand-in model. "Docs" holds KAITO, or these `documents` instead."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=120))

        async def served(model: StandIn | None = None, documents: tuple[str, ...] = (), **more: Any) -> OpenAIAPI:
            given = more if model is None else settings(model, **more)
            path = tmp_path / "footnote.db"
            anew = documents or "embedding_model" in given
            if not anew:
                await asyncio.to_thread(shutil.copy, filled, path)
            values = Settings.model_validate({"database_url": f"sqlite:///{path}", **given})
            api = OpenAIAPI(http, stack.enter_context(serve(values)))
            await (api.fill(*(documents or (KAITO,))) if anew else api.find())
            return api

        yield served


@pytest.fixture(scope="session")
def node() -> str:
    """Node with the locked packages installed."""
    return node_with_packages(NODE)


@pytest.fixture
def ai_sdk(node: str) -> NodeClient:
    """Run an AI SDK request with these arguments, and return its result."""

    async def run(**arguments: Any) -> Any:
        command = [node, str(NODE / "programs" / "ask.mjs"), json.dumps(arguments)]
        ended = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, text=True, check=False, timeout=60
        )
        assert ended.returncode == 0, ended.stderr[-3000:]
        return json.loads(ended.stdout)

    return run
