"""`footnote serve`: run the server until a signal stops it."""

import asyncio
import logging
import shlex
import shutil
import socket
import sys
import sysconfig
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import uvicorn

from app import __version__, main, services
from app.addresses import Proxies
from app.cli.other_models import describe_other_models
from app.cli.running import ExitCode
from app.cli.server import connections, links, sockets, starting, stopping
from app.cli.server.garbage import GarbageCollector
from app.cli.streams import announce
from app.database import opening
from app.knowledge.projects import sample
from app.observation.logs import configure_logging
from app.settings import Settings, explain_unknown_names

log = logging.getLogger(__name__)

# How long requests may take to finish when the server stops; then running answers get `services.DRAIN_SECONDS`.
_GRACE_SECONDS = 1
# How long a retiring server waits for requests on connections that it has just accepted.
_ARRIVAL_SECONDS = 0.3
# How long an idle connection stays open: longer than proxies keep theirs (nginx 60 s, Caddy 120 s). A proxy that sends
# a request on a connection that is being closed returns status 502 to its client.
_KEEP_ALIVE_SECONDS = 130
_QUESTION = "Which document formats can Footnote read?"


async def serve(settings: Settings) -> ExitCode:
    """Serve until SIGINT or SIGTERM. Raises StartError if the address cannot be used."""
    configure_server_logging(settings)
    starting.choose_core(settings, 0)
    starting.outlive_hangups()
    with closing(starting.bind_socket(settings.host, settings.port)) as listening:
        # Services are opened here and not in the application's lifespan, so a problem is one line, not a traceback.
        async with services.open_services(settings, "serve") as opened:
            server = AnnouncingServer(opened, listening, await read_hints(opened, listening))
            GarbageCollector.tune()
            await server.serve(sockets=[listening])
    if server.started:
        announce("Stopped.")
    return ExitCode.OK if server.started else ExitCode.FAILED


def configure_server_logging(settings: Settings) -> None:
    """Log as the settings say, and report unknown names in `.env`."""
    configure_logging(settings.log_level, settings.log_format)
    # The database driver logs every parameter: texts of documents, hashes of passwords.
    for chatty in ("httpx", "httpx2", "httpcore2", "openai", "alembic", "urllib3", opening.DRIVER_LOGGER_NAME):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_is_no_cut_off_request)
    for problem in explain_unknown_names():
        log.warning("%s", problem)


def _is_no_cut_off_request(record: logging.LogRecord) -> bool:
    """A filter for uvicorn's log, which would have a traceback for each request that a stopping server cuts off."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


class Server(stopping.StoppableServer):
    """uvicorn with connection limits, and with streams that end cleanly when it stops."""

    def __init__(self, settings: Settings, app: main.Application) -> None:
        limits = connections.ConnectionLimits(
            settings.max_connections, settings.max_connections_per_address, Proxies(settings.trusted_proxies)
        )
        collector = GarbageCollector()
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                log_level=connections.log_level(settings.log_level),
                http=connections.http_protocol(settings.request_seconds, limits, collector),
                ws=sockets.websocket_protocol(settings.request_seconds, limits, collector),
                proxy_headers=False,  # the application decides which proxies to trust
                ws_max_size=settings.max_message_bytes,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                ws_ping_interval=None,  # the GraphQL API sends its own, which scripts in browsers can see
                timeout_graceful_shutdown=_GRACE_SECONDS,
                server_header=False,
            )
        )
        self._app = app
        self._is_retiring = False

    def retire(self, seconds: float) -> None:
        """Stop after giving requests this long to finish. Streams end at once: clients resume them elsewhere."""
        self.config.timeout_graceful_shutdown = int(seconds)
        self._is_retiring = True
        self.stop()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, end open streams, then stop."""
        for server in self.servers:
            server.close()
        if self._is_retiring:
            await asyncio.sleep(_ARRIVAL_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await self._app.end_streams()
        await super().shutdown(sockets)


class AnnouncingServer(Server):
    """Prints its addresses when it has started, and what it waits for when it stops.

    `hints` are printed with the addresses; None: another process does both.
    """

    def __init__(self, opened: services.Services, listening: socket.socket, hints: Sequence[str] | None) -> None:
        super().__init__(opened.settings, main.create_app(opened.settings, opened))
        self._settings = opened.settings
        self._operator = opened.operator()
        self._hints = hints
        self._port: int = listening.getsockname()[1]

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on a signal, but do not raise it again: running answers still have to finish after the server."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and print the addresses and hints."""
        await super().startup(sockets)
        if self._hints is None:
            return
        address = links.server_url(self._settings, self._port)
        announce(f"Footnote {__version__}, model {self._settings.chosen_chat_model}")
        page = [("page", "/")] if self._settings.page else []
        graphql = "playground" if self._settings.playground else "graphql"
        for name, path in (*page, (graphql, "/graphql"), ("health", "/health")):
            announce(f"  {name:<11} {address}{path}")
        if self._settings.workers > 1:
            announce(f"  {'workers':<11} {self._settings.workers}")
        announce("Ctrl-C stops it.")
        for hint in self._hints:
            announce(f"\n{hint}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Print what the server waits for, then stop."""
        if running := self._operator.running_answers:
            answers = "1 running answer has" if running == 1 else f"{running:,} running answers have"
            announce(f"Stopping; {answers} {services.DRAIN_SECONDS:g} s to finish.")
        await super().shutdown(sockets)


async def read_hints(opened: services.Services, listening: socket.socket) -> list[str]:
    """Hints for the person who started the server: how to sign in, a first question, and projects on other models."""
    address = links.server_url(opened.settings, listening.getsockname()[1])
    hints = (
        await _sign_in_hint(opened, address),
        await _first_question_hint(opened),
        await describe_other_models(opened, _find_program()),
    )
    return [hint for hint in hints if hint]


async def _sign_in_hint(opened: services.Services, address: str) -> str | None:
    """How to sign in to a server on which no user has a password, a token or an identity yet.

    The link itself is shown only on a terminal: others may read files and journals, even later.
    """
    operator = opened.operator()
    if not opened.settings.signs_in or await operator.accounts.users.can_anyone_sign_in():
        return None
    if (missing := links.explain_missing_link(opened.settings, services.OWNER_EMAIL)) is not None:
        return f"Nobody can sign in yet. {missing}"
    another = f"{_find_program()} user link {services.OWNER_EMAIL}"
    if not sys.stdout.isatty():
        return f"Nobody can sign in yet. To get a link that lets you in as the owner, run: {another}"
    link = links.setup_link(opened.settings, address, await operator.accounts.setup_tokens.create(operator.user.id))
    return (
        "Nobody can sign in yet. This link lets you in as the owner, once, within 15 minutes. Then set a password.\n"
        f"  {link}\nTo get another link, run: {another}"
    )


async def _first_question_hint(opened: services.Services) -> str | None:
    """How to ask the sample project a question, as long as it is the only project."""
    if await opened.operator().project_names() != [sample.NAME]:
        return None
    return f'Your first question, in another terminal:\n  {_find_program()} ask "{_QUESTION}" --project {sample.NAME}'


def _find_program() -> str:
    """What to type for `footnote` in another terminal, which may have another PATH than this one.

    The folder of a virtual environment, such as one that uvx made, may be on the PATH of this terminal alone.
    """
    program = Path(sys.argv[0])
    if program.name != "footnote":  # as with `python -m app`
        return "footnote"
    own = sys.prefix != sys.base_prefix and program.parent == Path(sysconfig.get_path("scripts"))
    is_found = program.is_absolute() and not own and shutil.which("footnote") == str(program)
    return "footnote" if is_found else shlex.quote(str(program))
