"""Fixtures: third-party clients as Node programs, and a server whose model can be made to wait."""

import asyncio
import json
import subprocess
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from typer.testing import CliRunner

from app.cli.commands import cli
from app.settings import Settings
from tests.browser import find_chromium
from tests.node import absent, node_with_packages
from tests.servers.openai import OpenAIServer
from tests.servers.running import Body, running
from tests.serving import serve

HERE = Path(__file__).parent
PACKAGES = HERE / "node_modules"
PROGRAM_SECONDS = 120

Json = Any
Program = Callable[..., Json]
Operator = Callable[..., str]


@pytest.fixture(scope="session")
def node() -> str:
    """Node with the locked packages installed."""
    return node_with_packages(HERE)


@pytest.fixture(scope="session")
def program(node: str) -> Program:
    """Run `programs/NAME.mjs` with JSON arguments, and parse what it prints."""

    def run(name: str, /, *, seconds: float = PROGRAM_SECONDS, **arguments: Json) -> Json:
        command = [node, str(HERE / "programs" / f"{name}.mjs"), json.dumps(arguments)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
        assert ended.returncode == 0, f"{name}: {ended.stderr[:3000]}"
        return json.loads(ended.stdout)

    return run


@pytest.fixture(scope="session")
def browser() -> str:
    """Chromium."""
    found = find_chromium()
    if found is None:
        absent("Chromium is not installed: the test of the playground needs it.")
    return found


@pytest.fixture(scope="session")
def operator() -> Operator:
    """Run `footnote` on a server's database while it runs; returns its output."""

    def run(database_url: str, /, *arguments: str, typed: str = "") -> str:
        result = CliRunner(env={"DATABASE_URL": database_url}).invoke(cli, list(arguments), input=typed)
        assert result.exit_code == 0, result.output
        return result.stdout.strip()

    return run


class Prompted(OpenAIServer):
    """A model that sends its next piece when a client asks for more, so that readers set the pace, not the clock."""

    def __init__(self, pieces: list[str]) -> None:
        super().__init__(lambda _: pieces)
        self._allowed = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        return [*super().routes(), Route("/more", self._more, methods=["POST"])]

    async def _more(self, _: Request) -> Response:
        self._allowed.release()
        return Response(status_code=204)

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        self._allowed = asyncio.Semaphore(1)

        async def prompted() -> AsyncGenerator[bytes]:
            async for frame in frames:
                if b'"content": "' in frame:
                    await self._allowed.acquire()
                yield frame

        return super().stream(request, prompted(), media_type)

    def asked(self, question: str) -> list[Body]:
        """The chat requests caused by this question."""
        return [chat for chat in self.chats if question in chat["messages"][-1]["content"]]


@dataclass(frozen=True)
class Place:
    """A running server and the model behind it."""

    url: str
    model: Prompted


WORDS = "Streams break off, and whoever comes back reads on where the last word was heard, without a gap or an echo."
PIECES = [word if index == 0 else f" {word}" for index, word in enumerate(WORDS.split(" "))]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Generator[Place]:
    """A server shared by this module; its model says `WORDS` word by word."""
    with running(Prompted(PIECES)) as model:
        values = {
            "database_url": f"sqlite:///{tmp_path_factory.mktemp('clients') / 'footnote.db'}",
            "openai_base_url": model.url,
            "chat_model": "openai/chat",
        }
        with serve(Settings.model_validate(values)) as url:
            yield Place(url, model)
