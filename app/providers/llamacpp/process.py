"""The child process that runs one model: started on demand, monitored, and ended when idle.

A crash of the model fails only the answers in progress. The next request restarts the process; after several
consecutive crashes, it first waits for a while. A process that hangs is ended, which is a crash, too. The event loop
never waits for the child: its pipes are read and written asynchronously.
"""

import asyncio
import json
import logging
import os
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app import errors
from app.cores import CORES
from app.providers.base import TimeLimits
from app.providers.llamacpp import memory
from app.providers.llamacpp.connection import PROVIDER, connect
from app.providers.llamacpp.endings import explain_end
from app.providers.llamacpp.gguf import ModelFile, UnusableFile, read_model_file
from app.providers.llamacpp.model_server import ModelServer
from app.providers.llamacpp.slots import Slots

log = logging.getLogger(__name__)

ModelUse = Literal["CHAT", "EMBEDDING", "RERANK"]

# Enough for a model of 40 GB on a slow disk.
_LOAD_SECONDS = 600.0
# How long to wait for the end of the process after a lost connection, which is noticed first.
_END_SECONDS = 2.0
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_REPORT_SECONDS = 2.0
_KEPT_BYTES = 16 << 10
_PROGRAM = Path(__file__).with_name("child.py")


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """How to run a model: its window in tokens, concurrent requests, threads, and seconds until an idle process ends.

    `idle_seconds` 0: it never ends.
    """

    window: int
    slots: int
    threads: int
    idle_seconds: float
    limits: TimeLimits


class ModelProcess:
    """The process of one model file. `use` is what the model does."""

    def __init__(self, model: str, file: ModelFile, use: ModelUse, options: LaunchOptions) -> None:
        self.model = model
        self.name = f"{PROVIDER}/{model}"
        self.use: ModelUse = use
        self.options = options
        self.parameters = file.parameters
        self._path = file.parts[0]
        self._loading: asyncio.Task[ModelServer] | None = None
        self._running: ModelServer | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._users = 0
        self._idle: asyncio.TimerHandle | None = None
        self._failures = 0
        self._last_failure = ""
        self._pause_until = 0.0
        self.dimensions: int | None = None
        """The length of its vectors, once known."""
        self.percent: int | None = None
        """How much of the file has been read while loading."""

    def read_file(self) -> ModelFile:
        """Read the file's header again. Raises ModelNotFound."""
        try:
            return read_model_file(self._path)
        except UnusableFile as error:
            raise errors.ModelNotFound(f"The file of {self.name} {error}.") from error

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[ModelServer]:
        """The running server, started if necessary; it does not end as idle within the block.

        If the process ends, requests raise a ModelIncomplete or ModelUnavailable that says so.
        """
        self._users += 1
        self._end_when_idle()
        try:
            server = self._running or await self._load()
            try:
                with server.expect_answer():
                    yield server
            except (errors.ModelIncomplete, errors.ModelUnavailable, errors.ModelTimeout) as error:
                if isinstance(error, errors.ModelTimeout) and not server.has_hung:
                    raise
                if ending := await server.wait_end(_END_SECONDS):
                    raise type(error)(f"{self.name} {ending}; the next request starts it again.") from error
                raise
        finally:
            self._users -= 1
            self._end_when_idle()

    def record_answer(self) -> None:
        """Record that the model has answered, which resets its failure count."""
        self._failures = 0
        if self._running is not None:
            self._running.note_answer()

    async def close(self) -> None:
        """End the process."""
        if self._idle is not None:
            self._idle.cancel()
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
        self._end()
        await asyncio.gather(*self._tasks)

    async def _load(self) -> ModelServer:
        """Load the model once for all waiting requests."""
        loop = asyncio.get_running_loop()
        if self._loading is None:
            if (left := self._pause_until - loop.time()) > 0:
                raise errors.ModelUnavailable(
                    f"{self._last_failure} It has failed {self._failures} times in a row.", left
                )
            self._loading = loop.create_task(self._start())
            self._loading.add_done_callback(self._loaded)
        # A cancelled request must not cancel loading for the others.
        return await asyncio.shield(self._loading)

    def _loaded(self, task: asyncio.Task[ModelServer]) -> None:
        self._loading = self.percent = None
        if task.cancelled():
            return
        if error := task.exception():
            self._count_failure(error.message if isinstance(error, errors.FootnoteError) else f"{self.name} failed.")
        else:
            self._running = task.result()
            self._run_aside(self._follow(self._running))
            self._end_when_idle()  # the request that started it may have been cancelled

    async def _start(self) -> ModelServer:
        file = await asyncio.to_thread(self.read_file)
        self._check_memory(file)
        key, address, output = secrets.token_urlsafe(32), None, bytearray()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            str(_PROGRAM),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            # Otherwise, waiting OpenMP threads would spin and take processor time from the server, and a crash would
            # start a debugger, whose output hides the reason.
            env={"OMP_WAIT_POLICY": "passive", "GGML_NO_BACKTRACE": "1", **os.environ},
            # Ctrl-C is meant for the server, which lets answers finish.
            start_new_session=True,
        )
        reading = self._run_aside(self._collect_output(process, output))
        try:
            async with asyncio.timeout(_LOAD_SECONDS):
                await self._send_launch(process, file, key)
                address = await self._read_address(process)
                if address is None:
                    await asyncio.gather(reading, process.wait())
        except TimeoutError as error:
            raise errors.ModelTimeout(f"{self.name} was not loaded within {_LOAD_SECONDS:g} seconds.") from error
        finally:
            if address is None:
                _kill(process)
        if address is None:
            raise errors.ModelUnavailable(
                f"{self.name} cannot be loaded: it {explain_end(process.returncode, output)}."
            )
        log.info("%s is ready", self.name)
        connection = connect(address, key, self.options.limits)
        return ModelServer(connection, process, output, reading, Slots(self.options.slots))

    def _check_memory(self, file: ModelFile) -> None:
        """Log how much memory the model needs. Raises ModelUnavailable if there is less."""
        needed = memory.estimate_bytes(file, self.options.window, self.options.slots)
        available = memory.read_available_bytes()
        takes = f"about {memory.format_bytes(needed)} of memory"
        left = "" if available is None else f", and {memory.format_bytes(available)} are available"
        if available is not None and needed > available:
            raise errors.ModelUnavailable(
                f"{self.name} needs {takes} with {self.options.slots} windows of {self.options.window} tokens{left}."
            )
        log.info("loading %s: it takes %s%s", self.name, takes, left)

    async def _send_launch(self, process: Process, file: ModelFile, key: str) -> None:
        launch = {
            "name": self.model,
            "parts": [str(part.absolute()) for part in file.parts],
            "file_bytes": file.file_bytes,
            "use": self.use,
            "window": self.options.window,
            "slots": self.options.slots,
            "threads": self.options.threads,
            "cores": CORES,
            "key": key,
        }
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        with suppress(ConnectionError):  # the process has ended, and its output says why
            process.stdin.write(json.dumps(launch).encode() + b"\n")
            await process.stdin.drain()

    async def _read_address(self, process: Process) -> str | None:
        """The address of the loaded model; None if the process ends instead."""
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        loop = asyncio.get_running_loop()
        reported_at = loop.time()
        async for line in process.stdout:
            report: dict[str, Any] = json.loads(line)
            if "address" in report:
                return report["address"]
            self.percent = report["percent"]
            if loop.time() - reported_at >= _REPORT_SECONDS:
                reported_at = loop.time()
                log.info("loading %s: %d %%", self.name, self.percent)
        return None

    async def _collect_output(self, process: Process, output: bytearray) -> None:
        """Read the output, because a full pipe would block the process, and keep the end of it."""
        assert process.stderr is not None  # noqa: S101 - it is a pipe
        while data := await process.stderr.read(_KEPT_BYTES):
            log.debug("%s: %s", self.name, data.decode("utf-8", "replace").rstrip())
            output += data
            del output[:-_KEPT_BYTES]

    async def _follow(self, server: ModelServer) -> None:
        """Wait until the process ends, expectedly or not, and record that."""
        ending = await server.wait_end()
        if self._running is server:
            self._running = None
            self._count_failure(f"{self.name} {ending}.")
            log.warning("%s %s", self.name, ending)
        await server.connection.close()

    def _run_aside(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _count_failure(self, message: str) -> None:
        """Count a failure: after the first, the next request retries at once; then pauses grow."""
        self._failures += 1
        self._last_failure = message
        if self._failures > 1:
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (self._failures - 2))
            self._pause_until = asyncio.get_running_loop().time() + pause

    def _end_when_idle(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
        if self._users == 0 and self.options.idle_seconds:
            self._idle = asyncio.get_running_loop().call_later(self.options.idle_seconds, self._end)

    def _end(self) -> None:
        """End the process, which has nothing to save."""
        running, self._running = self._running, None
        if running is not None:
            running.kill()
            log.info("%s is unloaded", self.name)


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
