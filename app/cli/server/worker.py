"""A worker: one of the processes of `footnote serve --workers`, started and controlled by the supervisor."""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import closing, suppress

from app import errors, services
from app.cli.running import ExitCode
from app.cli.server import serve as serving
from app.cli.server import starting
from app.cli.server.garbage import GarbageCollector
from app.cli.server.messages import Message, MessageChannel
from app.observation.merged_metrics import Family, parse_families

# How long a scrape waits for the other workers.
_COLLECT_SECONDS = 5.0


async def serve(listening: int, channel: int, number: int, *, announces: bool) -> ExitCode:
    """Serve on an open socket until the supervisor says so, or is gone. Both are file descriptors.

    `number`: of this worker, from 0; no other one that takes requests has it.
    """
    settings = starting.read_server_settings(None, None)
    starting.choose_core(settings, number)
    serving.configure_server_logging(settings)
    messages = await MessageChannel.open(socket.socket(fileno=channel))
    others = OtherWorkers(messages)
    with closing(socket.socket(fileno=listening)) as shared:
        async with services.open_services(settings, "serve", others=others) as opened:
            hints = await serving.read_hints(opened, shared) if announces else None
            worker = Worker(opened, messages, others)
            server = _WorkerServer(opened, shared, hints, messages)
            GarbageCollector.tune()
            listener = asyncio.create_task(worker.listen(server))
            await server.serve(sockets=[shared])
            await worker.finish()
            listener.cancel()
    return ExitCode.OK if server.started else ExitCode.FAILED


class OtherWorkers:
    """The other workers of the same supervisor."""

    def __init__(self, messages: MessageChannel) -> None:
        self._messages = messages
        self._waiting: dict[int, asyncio.Future[Sequence[Sequence[Family]]]] = {}
        self._last_number = 0

    async def collect_metrics(self, own: Sequence[Family]) -> Sequence[Sequence[Family]]:
        """The metrics of each of them, and the counts of those that have ended. Sends them `own`."""
        self._last_number += 1
        number = self._last_number
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._messages.send("collect", number=number, families=own)
        try:
            async with asyncio.timeout(_COLLECT_SECONDS):
                return await answer
        except TimeoutError as error:
            raise errors.Unavailable("The supervisor of this worker does not respond.", "server", 1000) from error
        finally:
            del self._waiting[number]

    def take_metrics(self, message: Message) -> None:
        """Handle the supervisor's answer."""
        answer = self._waiting.get(message["number"])
        if answer is not None and not answer.done():
            answer.set_result([parse_families(families) for families in message["processes"]])


class Worker:
    """Follows the supervisor's messages."""

    def __init__(self, opened: services.Services, messages: MessageChannel, others: OtherWorkers) -> None:
        self._services = opened
        self._messages = messages
        self._others = others
        self._stopping = asyncio.Event()
        self._is_retiring = False

    async def listen(self, server: serving.Server) -> None:
        """Handle messages until the supervisor is gone; then stop."""
        while (message := await self._messages.receive()) is not None:
            match message["kind"]:
                case "retire":
                    self._is_retiring = True
                    server.retire(self._services.settings.model_longest_answer_seconds)
                case "sample":
                    await self._send_metrics()
                case "collected":
                    self._others.take_metrics(message)
                case _:
                    self._stop(server)
        self._stop(server)

    def _stop(self, server: serving.Server) -> None:
        self._stopping.set()
        server.force_exit = self._is_retiring  # it does not wait for requests any longer
        server.stop()

    async def finish(self) -> None:
        """Wait for running answers if the worker retires, and pass its counts on."""
        if self._is_retiring:
            waiting = [
                asyncio.create_task(self._services.operator().wait_for_answers()),
                asyncio.create_task(self._stopping.wait()),
            ]
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
        await self._send_metrics()
        await self._messages.flush()

    async def _send_metrics(self) -> None:
        families: Sequence[Family] = []
        with suppress(errors.Unavailable):
            families = await self._services.read_metrics()
        self._messages.send("sampled", families=families)


class _WorkerServer(serving.AnnouncingServer):
    """Tells the supervisor when it has started."""

    def __init__(
        self,
        opened: services.Services,
        listening: socket.socket,
        hints: Sequence[str] | None,
        messages: MessageChannel,
    ) -> None:
        super().__init__(opened, listening, hints)
        self._messages = messages

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        self._messages.send("started")
