"""`footnote serve` on the files of a folder, as a process that will be killed at a given point."""

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, TextIO

from starlette.requests import Request
from starlette.responses import Response

from tests.servers.openai import OpenAIServer
from tests.servers.running import Answer, Body
from tests.torture.points import Point

ROOT = Path(__file__).parent.parent.parent
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
        self._line, theirs = socket.socketpair()
        paths = os.pathsep.join(str(path) for path in dict.fromkeys((code, ROOT)))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.torture.child", str(theirs.fileno())],
                cwd=code,
                env={**os.environ, "PYTHONPATH": paths},
                pass_fds=[theirs.fileno()],
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()
        self._process.wait()

    def start(self, folder: Path, point: Point | None, hit: int, what: str, environment: Mapping[str, str]) -> "Server":
        """Start a server in `folder` that dies when it passes the point for the `hit`th time.

        `what` is the module to run; `environment` is added to its own, and names the database.
        """
        order = {
            "folder": str(folder),
            "environment": {
                "OPENAI_BASE_URL": self._model.url,
                "CHAT_MODEL": "openai/chat",
                **environment,
            },
            "what": what,
            "point": point and point.name,
            "hit": hit,
            "at_once": point is not None and point.during != "work",
        }
        output, theirs = os.pipe()
        with (folder / "server.log").open("a") as log:
            socket.send_fds(self._line, [json.dumps(order).encode()], [theirs, log.fileno()])
        os.close(theirs)
        return Server(self, folder, self._answer(), os.fdopen(output))

    def exit_code(self, process: int) -> int | None:
        """A server's exit code; None while it runs."""
        self._line.sendall(json.dumps({"process": process}).encode())
        return self._answer()

    def _answer(self) -> Any:
        message = self._line.recv(1 << 10)
        assert message, "the nursery has died"
        return json.loads(message)


class Server:
    """One server process. It dies at its point, or by `kill`."""

    def __init__(self, nursery: Nursery, folder: Path, process: int, output: TextIO) -> None:
        self._nursery = nursery
        self._folder = folder
        self._process = process
        self._output = output
        self._code: int | None = None

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
        for line in self._output:
            lines.append(line)
            if "health" in line:
                break
        return lines

    def arm(self) -> None:
        """Count passes of the point from now on."""
        self._send(signal.SIGUSR1)

    def died(self) -> bool:
        """Whether it is dead."""
        if self._code is None:
            self._code = self._nursery.exit_code(self._process)
        return self._code is not None

    async def dead(self) -> int:
        """Wait for its end; returns its exit code."""
        deadline = time.monotonic() + _START_SECONDS
        while not self.died():
            assert time.monotonic() < deadline, f"the server does not end\n{self.log()}"
            await asyncio.sleep(0.005)
        self._output.close()
        assert self._code is not None
        return self._code

    async def alone(self) -> None:
        """Wait until its parse workers have ended too. Raises AssertionError if they do not."""
        deadline = time.monotonic() + _ORPHAN_SECONDS
        while self._group_lives():
            assert time.monotonic() < deadline, "processes that parse documents outlive their server"
            await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """Kill it, like a power cut for one process."""
        self._send(signal.SIGKILL)
        await self.dead()

    async def stop(self) -> None:
        """Stop it as an operator would."""
        self._send(signal.SIGTERM)
        code = await self.dead()
        assert code == 0, f"exit code {code}\n{self.log()}"

    def end(self) -> None:
        """Stop everything, whatever happened."""
        self._send(signal.SIGKILL)
        self._output.close()

    def _send(self, what: signal.Signals) -> None:
        if not self.died():
            with suppress(ProcessLookupError):
                os.kill(self._process, what)

    def log(self) -> str:
        """The end of the server's output."""
        return (self._folder / "server.log").read_text()[-3000:]

    def _group_lives(self) -> bool:
        try:
            os.killpg(self._process, 0)
        except ProcessLookupError:
            return False
        return True
