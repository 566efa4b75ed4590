"""`footnote serve --workers N`: start server processes that share an address, and replace those that die.

The supervisor opens no database and answers no request. The first worker starts alone: it migrates the database, and
what keeps a server from starting is reported once.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from contextlib import closing
from pathlib import Path

import app
from app import errors
from app.cli.running import ExitCode
from app.cli.server import starting
from app.cli.server.messages import Message, MessageChannel
from app.cli.streams import announce
from app.observation.logs import configure_logging
from app.observation.merged_metrics import Family, keep_growing, merge_families, parse_families
from app.settings import Settings

log = logging.getLogger(__name__)

# Not `-m app`: in a folder with another `app`, that would be started. The second argument is what was typed, for hints.
_PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop(1)); sys.argv.pop(0); from app.cli import main; main()"
_ROOT = Path(app.__file__).parent.parent
# How long workers may take to stop: requests get one second, running answers five.
_STOP_SECONDS = 15.0
# A worker that is busy for longer shows its former metrics.
_SAMPLE_SECONDS = 2.0
# Seconds between two attempts to replace a worker that died soon after its start: at first, and at most.
_RETRY_SECONDS, _LONGEST_RETRY_SECONDS = 0.5, 30.0
_SOON_SECONDS = 10.0


async def serve(settings: Settings) -> ExitCode:
    """Serve until SIGINT or SIGTERM. Raises StartError if the address cannot be used."""
    if sys.platform == "win32":
        raise errors.StartError(f"WORKERS={settings.workers}: processes cannot share an address on Windows; use 1.")
    configure_logging(settings.log_level, settings.log_format)
    with closing(starting.bind_socket(settings.host, settings.port)) as listening:
        return await Supervisor(settings, listening).run()


class WorkerProcess:
    """A worker as the supervisor sees it. `families` are its metrics as last heard.

    `number`: from 0; its successor has the same. `generation`: how often all workers had been asked to be replaced when
    it was started. `has_successor`: another one starts, or has started, in its place.
    """

    def __init__(
        self,
        process: Process,
        channel: MessageChannel,
        number: int,
        generation: int,
        sample_seconds: float = _SAMPLE_SECONDS,
    ) -> None:
        self.process = process
        self.number = number
        self.channel = channel
        self.generation = generation
        self.families: list[Family] = []
        self.has_successor = self.is_retiring = False
        loop = asyncio.get_running_loop()
        self.started: asyncio.Future[bool] = loop.create_future()
        self._sampled: asyncio.Future[None] | None = None
        self._sample_seconds = sample_seconds
        self._began = loop.time()

    @property
    def is_serving(self) -> bool:
        """Whether it accepts requests."""
        return self.started.done() and self.started.result() and not self.is_retiring

    @property
    def has_died_soon(self) -> bool:
        """Whether it has only just started."""
        return asyncio.get_running_loop().time() - self._began < _SOON_SECONDS

    async def ask_for_metrics(self) -> None:
        """Wait until it has sent its metrics, but not for long."""
        if self._sampled is None or self._sampled.done():  # otherwise, one is on its way
            self._sampled = asyncio.get_running_loop().create_future()
            self.channel.send("sample")
        await asyncio.wait([self._sampled], timeout=self._sample_seconds)

    def take_metrics(self, message: Message) -> None:
        """Keep the metrics in a message, if it has any."""
        self.families = parse_families(message["families"]) or self.families
        if self._sampled is not None and not self._sampled.done():
            self._sampled.set_result(None)


class Supervisor:
    """Keeps as many workers running as settings say."""

    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        self._count = settings.workers
        self._listening = listening
        # The port may have been picked, and options may differ from the environment.
        address = {"HOST": settings.host, "PORT": str(listening.getsockname()[1]), "WORKERS": str(settings.workers)}
        self._environment = {**os.environ, **address}
        self._workers: set[WorkerProcess] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopped = asyncio.Event()
        self._restarting: asyncio.Task[None] | None = None
        self._generation = 0
        self._ended: list[Family] = []
        self._failure = ExitCode.FAILED

    async def run(self) -> ExitCode:
        """Run until SIGINT or SIGTERM, or until a worker cannot start at first."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stopped.set)
        # On a terminal, this signal means that the terminal is gone.
        loop.add_signal_handler(signal.SIGHUP, self._stopped.set if sys.stdin.isatty() else self._restart)
        try:
            has_started = await self._start_worker(0, announces=True)
            if has_started:
                others = (self._start_worker(number) for number in range(1, self._count))
                has_started = all(await asyncio.gather(*others))
            if has_started:
                await self._stopped.wait()
        finally:
            await self._end_workers()
        if not has_started and not self._stopped.is_set():
            return self._failure
        announce("Stopped.")
        return ExitCode.OK

    def _keep_task(self, task: asyncio.Task[None]) -> asyncio.Task[None]:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _start_worker(self, number: int, *, announces: bool = False) -> bool:
        """Start a worker, and wait until it serves; returns whether it does."""
        generation = self._generation
        ours, theirs = socket.socketpair()
        with theirs:
            sockets = self._listening.fileno(), theirs.fileno()
            # In its own session: Ctrl-C is meant for the supervisor, which stops the workers.
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", _PROGRAM, str(_ROOT), sys.argv[0], "serve-worker"),
                *map(str, (*sockets, number, announces)),
                pass_fds=sockets,
                stdin=DEVNULL,
                env=self._environment,
                start_new_session=True,
            )
        worker = WorkerProcess(process, await MessageChannel.open(ours), number, generation)
        self._workers.add(worker)
        self._keep_task(asyncio.create_task(self._watch(worker)))
        stopped = asyncio.create_task(self._stopped.wait())
        await asyncio.wait([worker.started, stopped], return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        return worker.started.done() and worker.started.result()

    async def _watch(self, worker: WorkerProcess) -> None:
        """Handle a worker's messages until it ends; then replace it, unless it was told to end."""
        while (message := await worker.channel.receive()) is not None:
            match message["kind"]:
                case "started":
                    worker.started.set_result(True)
                case "sampled":
                    worker.take_metrics(message)
                case _:
                    worker.take_metrics(message)
                    self._keep_task(asyncio.create_task(self._collect_metrics(worker, message["number"])))
        code = await worker.process.wait()
        worker.channel.close()
        self._workers.discard(worker)
        self._ended = merge_families([self._ended, keep_growing(worker.families)])
        is_missed = worker.is_serving and not self._stopped.is_set()
        if not worker.started.done():
            self._failure = ExitCode(code) if code in set(ExitCode) and code else ExitCode.FAILED
            worker.started.set_result(False)
        if is_missed:
            how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            log.warning("worker %d has ended (%s); another one starts", worker.process.pid, how)
            if not worker.has_successor:
                await self._replace_worker(worker.number, _RETRY_SECONDS if worker.has_died_soon else 0.0)

    async def _replace_worker(self, number: int, wait: float) -> None:
        while not self._stopped.is_set():
            await asyncio.sleep(wait)
            if self._stopped.is_set() or await self._start_worker(number):
                return
            wait = min(max(2 * wait, _RETRY_SECONDS), _LONGEST_RETRY_SECONDS)
            log.error("a new worker does not start; the next attempt is in %.1f s", wait)

    def _restart(self) -> None:
        self._generation += 1
        if self._restarting is None or self._restarting.done():
            self._restarting = self._keep_task(asyncio.create_task(self._restart_workers()))

    async def _restart_workers(self) -> None:
        """Replace all workers, one after the other. Each finishes its work, after its successor has started to serve.

        If this is requested again in the meantime, the workers started until then are replaced, too.
        """
        log.info("all workers are being replaced")
        while former := [each for each in self._workers if self._is_former(each)]:
            worker = former[0]
            if not await worker.started:
                continue
            worker.has_successor = True
            if not await self._start_worker(worker.number):
                worker.has_successor = False
                if not self._stopped.is_set():
                    log.error("a new worker does not start, so the former ones go on")
                if worker not in self._workers:  # it has ended in the meantime
                    await self._replace_worker(worker.number, _RETRY_SECONDS)
                return
            worker.is_retiring = True
            worker.channel.send("retire")
        log.info("all workers are new; former ones end with their last answer")

    def _is_former(self, worker: WorkerProcess) -> bool:
        return worker.generation < self._generation and not worker.is_retiring

    async def _collect_metrics(self, asking: WorkerProcess, number: int) -> None:
        """Answer a worker that wants the metrics of all others."""
        others = [worker for worker in self._workers if worker is not asking and worker.started.done()]
        await asyncio.gather(*(worker.ask_for_metrics() for worker in others))
        # A worker that has ended in the meantime counts as ended.
        processes = [*(worker.families for worker in others if worker in self._workers), self._ended]
        asking.channel.send("collected", number=number, processes=processes)

    async def _end_workers(self) -> None:
        """Stop all workers; kill those that do not stop in time."""
        processes = [asyncio.create_task(worker.process.wait()) for worker in self._workers]
        for worker in self._workers:
            worker.channel.send("stop")
        if processes:
            await asyncio.wait(processes, timeout=_STOP_SECONDS)
        for worker in list(self._workers):
            if worker.process.returncode is None:
                log.error("worker %d does not stop, so it is killed", worker.process.pid)
                worker.process.kill()
                await worker.process.wait()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
