"""`footnote serve` on the files of a folder, as a process that will be killed at a given point."""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Self

from starlette.requests import Request
from starlette.responses import Response

from tests.forks.commands import FootnoteProcess, start_footnote
from tests.forks.loaded_process import ROOT, LoadedProcess
from tests.servers.openai import OpenAIServer
from tests.servers.running import Answer, Body
from tests.torture.points import Point

_START_SECONDS = 60.0
# How long processes that parse documents may outlive the server that they belong to.
_ORPHAN_SECONDS = 60.0
_PAUSE_SECONDS = 0.025


class SlowModel(OpenAIServer):
    """A slow model, so that answers are in progress whenever a server dies."""

    def __init__(self, answer: Answer | None = None) -> None:
        super().__init__(answer or _answer)

    def stream(self, request: Request, frames: AsyncGenerator[bytes], media_type: str) -> Response:
        """Send the frames one by one, slowly."""

        async def slowly() -> AsyncGenerator[bytes]:
            async for frame in frames:
                await asyncio.sleep(_PAUSE_SECONDS)
                yield frame

        return super().stream(request, slowly(), media_type)


def _answer(body: Body) -> list[str]:
    """Deterministic per question, so that the expected log is known."""
    question = str(body["messages"][-1]["content"])[-200:]
    numbers = random.Random(question)  # noqa: S311
    words = [f" {numbers.randrange(10**6)}{numbers.choice(['.', ',', ' [1].', ''])}" for _ in range(16)]
    return ["It is said:", *words]


class Nursery:
    """Starts servers of the packages `app` and `migrations` in the folder `code`."""

    def __init__(self, model: SlowModel, code: Path = ROOT) -> None:
        self._model = model
        self._loaded = LoadedProcess(code)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._loaded.close()

    def start(self, folder: Path, point: Point | None, hit: int, what: str, environment: Mapping[str, str]) -> "Server":
        """Start a server in `folder` that dies when it passes the point for the `hit`th time.

        `what` is the module to run; `environment` is added to its own, and names the database.
        """
        values = {**os.environ, "OPENAI_BASE_URL": self._model.url, "CHAT_MODEL": "openai/chat", **environment}
        name, at_once = point and point.name, point is not None and point.during != "work"
        program = f"from tests.torture.killer import run; run({what!r}, {name!r}, {hit}, at_once={at_once})"
        with (folder / "server.log").open("a") as log:
            process = start_footnote(
                *("serve", "--port", "0"),
                program=program,
                folder=folder,
                environment=values,
                stdout=subprocess.PIPE,
                stderr=log,
                has_group=True,
                loaded=self._loaded,
            )
        return Server(folder, process)


class Server:
    """One server process. It dies at its point, or by `kill`."""

    def __init__(self, folder: Path, process: FootnoteProcess) -> None:
        self._folder = folder
        self._process = process

    async def address(self) -> str | None:
        """Its address; None if it was killed before serving. Raises AssertionError if it ended otherwise."""
        async with asyncio.timeout(_START_SECONDS):
            lines = await asyncio.to_thread(self._first_lines)
        for line in lines:
            if line.strip().startswith("playground"):
                return line.split()[-1].removesuffix("/graphql")
        code = await self.dead()
        assert code == -signal.SIGKILL, f"the server did not start: exit code {code}\n{self.log()}"
        return None

    def _first_lines(self) -> list[str]:
        lines: list[str] = []
        assert self._process.stdout is not None
        for line in self._process.stdout:
            lines.append(line)
            if "health" in line:
                break
        return lines

    def arm(self) -> None:
        """Count passes of the point from now on."""
        self._process.send_signal(signal.SIGUSR1)

    def died(self) -> bool:
        """Whether it is dead."""
        return self._process.poll() is not None

    async def dead(self) -> int:
        """Wait for its end; returns its exit code."""
        try:
            return await asyncio.to_thread(self._process.wait, _START_SECONDS)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the server does not end\n{self.log()}") from None

    async def alone(self) -> None:
        """Wait until its parse workers have ended too. Raises AssertionError if they do not."""
        deadline = time.monotonic() + _ORPHAN_SECONDS
        while self._group_lives():
            assert time.monotonic() < deadline, "processes that parse documents outlive their server"
            await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """Kill it, like a power cut for one process."""
        self._process.kill()
        await self.dead()

    async def stop(self) -> None:
        """Stop it as an operator would."""
        self._process.terminate()
        code = await self.dead()
        assert code == 0, f"exit code {code}\n{self.log()}"

    def end(self) -> None:
        """Stop everything, whatever happened."""
        self._process.kill()
        with self._process:
            pass

    def log(self) -> str:
        """The end of the server's output."""
        return (self._folder / "server.log").read_text()[-3000:]

    def _group_lives(self) -> bool:
        try:
            os.killpg(self._process.pid, 0)
        except ProcessLookupError:
            return False
        return True
