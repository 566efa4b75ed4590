"""`footnote serve`: run the server until a signal stops it."""

import asyncio
import errno
import gc
import logging
import socket
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import uvicorn

from app import __version__, errors, main, services
from app.addresses import Proxies, is_loopback
from app.cli.running import Exit, out
from app.cli.server import connections, links
from app.database import driver
from app.knowledge import sample
from app.settings import Settings, mistyped, read_settings

log = logging.getLogger(__name__)

# Requests that run when the server stops get this long; then running answers get theirs (`services.DRAIN_SECONDS`).
_GRACE_SECONDS = 1
_QUESTION = "Which document formats can Footnote read?"


async def serve(host: str | None, port: int | None) -> Exit:
    """Serve until SIGINT or SIGTERM. Raises StartError when the address may not or cannot be used."""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = read_settings().model_copy(update=given)
    if not (settings.signs_in or is_loopback(settings.host) or settings.allow_open_access):
        raise errors.StartError(
            f"HOST={settings.host!r} can be reached from other machines, and with REQUIRE_SIGN_IN=false everyone could "
            "read everything. Leave that out, or set ALLOW_OPEN_ACCESS=true if something in front checks who asks."
        )
    logging.getLogger().handlers.clear()
    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True)
    # The database's driver tells of every value it is given: texts of documents, hashes of passwords.
    for chatty in ("httpx", "httpx2", "httpcore2", "openai", "alembic", driver.LOG):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    for problem in mistyped():
        log.warning("%s", problem)
    listening = _listen(settings.host, settings.port)
    # Opened here and not by the server's own start, so that what is wrong with them is one line and not a traceback.
    async with services.open_services(settings, "serve") as opened:
        address = links.address(settings, listening.getsockname()[1])
        hints = [hint for hint in (await _way_in(opened, address), await _first_question(opened)) if hint]
        server = _Announcing(opened, main.create_app(settings, opened), listening, hints)
        # What is here now stays to the end: looking through it for garbage again and again takes a fifth of all time.
        gc.collect()
        gc.freeze()
        # Of what comes, most goes without being looked for. Python's own measure, 700 objects, makes 200 streams
        # stop for a tenth of a second nearly every second.
        gc.set_threshold(50_000, 20, 50)
        await server.serve(sockets=[listening])
    if server.started:
        out.print("Stopped.")
    return Exit.OK if server.started else Exit.FAILED


class Server(uvicorn.Server):
    """uvicorn with patience for nobody, and streams that end cleanly when it stops."""

    def __init__(self, settings: Settings, app: main.Application) -> None:
        places = connections.Places(
            settings.max_connections, settings.max_connections_per_address, Proxies(settings.trusted_proxies)
        )
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                log_level="warning",
                http=connections.patient(settings.request_seconds, places),
                ws=connections.patient_socket(settings.request_seconds, places),
                proxy_headers=False,  # the application decides whom it believes
                ws_max_size=settings.max_message_bytes,
                ws_ping_interval=None,  # the GraphQL API has its own, which browsers' scripts can see
                timeout_graceful_shutdown=_GRACE_SECONDS,
                server_header=False,
            )
        )
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, end what would stay open, then stop."""
        for server in self.servers:
            server.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_SECONDS):
                await self._app.leave()
        await super().shutdown(sockets)


class _Announcing(Server):
    """Tells where it is when it is there, and what it waits for before it is gone."""

    def __init__(
        self, opened: services.Services, app: main.Application, listening: socket.socket, hints: Sequence[str]
    ) -> None:
        super().__init__(opened.settings, app)
        self._settings = opened.settings
        self._operator = opened.operator()
        self._hints = hints
        self._port: int = listening.getsockname()[1]

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop at a signal, but do not raise it again: running answers have yet to end, after the server has."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        address = links.address(self._settings, self._port)
        out.print(f"Footnote {__version__}, model {self._settings.chosen_chat_model}", markup=False)
        out.print(f"  playground  {address}/graphql\n  health      {address}/health\nCtrl-C stops it.", markup=False)
        for hint in self._hints:
            out.print(f"\n{hint}", markup=False)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Say what keeps it, then stop."""
        if running := self._operator.running_answers:
            answers = "1 running answer has" if running == 1 else f"{running:,} running answers have"
            out.print(f"Stopping; {answers} {services.DRAIN_SECONDS:g} s to end.", markup=False)
        await super().shutdown(sockets)


async def _way_in(opened: services.Services, address: str) -> str | None:
    """What who starts a server is told that nobody has a password, a token or an identity for.

    A terminal shows the link itself. What is written to a file or a journal is read by others, and later.
    """
    operator = opened.operator()
    if not opened.settings.signs_in or await operator.accounts.users.can_come_in():
        return None
    another = f"footnote user link {services.OWNER_EMAIL}"
    if not sys.stdout.isatty():
        return f"Nobody can sign in yet. For a link that lets you in as the owner: {another}"
    link = links.setup_link(address, await operator.accounts.setup_tokens.create(operator.user.id))
    return (
        "Nobody can sign in yet. This link lets you in as the owner, once, within 15 minutes; set a password then.\n"
        f"  {link}\nAnother one: {another}"
    )


async def _first_question(opened: services.Services) -> str | None:
    """How to ask the sample project a question, while there is no other project."""
    if await opened.operator().project_names() != [sample.NAME]:
        return None
    program = Path(sys.argv[0])
    typed = program if program.name == "footnote" and not program.is_absolute() else "footnote"
    return f'Your first question, in another terminal:\n  {typed} ask "{_QUESTION}" --project {sample.NAME}'


def _listen(host: str, port: int) -> socket.socket:
    """Bound before anything else starts, so that a port in use costs one line and not half a start."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise errors.StartError(_no_address(host)) from error
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise errors.StartError(_no_address(host)) from error
        raise errors.StartError(
            f"Port {port} on {host} cannot be used ({error.strerror}); name another with --port or PORT."
        ) from error
    return listening


def _no_address(host: str) -> str:
    return f"HOST={host!r} is no address of this machine; give one, such as 127.0.0.1 or 0.0.0.0, with --host or HOST."
