"""Fixtures: servers with a database per test, clients of their OpenAI API, and a client in Node."""

import asyncio
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest

from app.settings import Settings
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


def _absent(reason: str) -> NoReturn:
    """Skip the test on a developer's machine; fail in continuous integration."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def node() -> str:
    """Node with the locked packages installed."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found is None or npm is None:
        _absent("Node is not installed: this test of an OpenAI client needs `node` and `npm`, version 20 or newer.")
    stamp = NODE / "node_modules" / ".installed-from"
    lock = hashlib.sha256((NODE / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != lock:
        try:
            subprocess.run([npm, "ci"], cwd=NODE, check=True, capture_output=True, timeout=240)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            said = (error.stderr or b"").decode(errors="replace").strip()
            _absent(f"`npm ci` in tests/openai_api/node failed: {said[-500:]}")
        stamp.write_text(lock, encoding="utf-8")
    return found


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
