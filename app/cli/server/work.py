"""`footnote work`: process documents until a signal stops it."""

import asyncio
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from types import FrameType

import uvicorn

from app import __version__, main, services
from app.addresses import Proxies
from app.cli.running import ExitCode
from app.cli.server import connections, starting, stopping
from app.cli.server.garbage import GarbageCollector
from app.cli.server.serve import configure_server_logging
from app.cli.streams import announce
from app.settings import Settings, read_settings

# How long requests may take to finish at the end.
_GRACE_SECONDS = 1


async def work(port: int | None) -> ExitCode:
    """Work until SIGINT or SIGTERM. With a port, metrics are served there."""
    settings = read_settings() if port is None else starting.read_server_settings(None, port)
    configure_server_logging(settings)
    stopped, loop = asyncio.Event(), asyncio.get_running_loop()

    def stop(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stopped.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    starting.outlive_hangups()
    async with (
        services.open_services(settings, "ingest") as opened,
        _serving_metrics(settings, opened, port) as address,
    ):
        operator = opened.operator()
        announce(f"Footnote {__version__} processes the documents of {operator.database_name}")
        if address is not None:
            announce(f"  metrics     {address}")
        announce("Ctrl-C stops it.")
        await stopped.wait()
    announce("Stopped.")
    return ExitCode.OK


@asynccontextmanager
async def _serving_metrics(
    settings: Settings, opened: services.Services, port: int | None
) -> AsyncGenerator[str | None]:
    """Serve metrics and health for as long as the block lasts; yields the address of the metrics."""
    if port is None:
        yield None
        return
    limits = connections.ConnectionLimits(
        settings.max_connections, settings.max_connections_per_address, Proxies(settings.trusted_proxies)
    )
    server = _MetricsServer(
        uvicorn.Config(
            main.create_worker_app(settings, opened),
            log_config=None,
            log_level=connections.log_level(settings.log_level),
            http=connections.http_protocol(settings.request_seconds, limits, GarbageCollector()),
            ws="none",
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE_SECONDS,
            server_header=False,
        )
    )
    with closing(starting.bind_socket(settings.host, port)) as listening:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield f"http://{settings.host}:{listening.getsockname()[1]}/metrics"
        finally:
            server.stop()
            await serving


class _MetricsServer(stopping.StoppableServer):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Signals stop the work; when the work ends, this ends."""
        yield
