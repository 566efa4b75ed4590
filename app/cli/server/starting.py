"""The start of every server process: check its settings, and bind its address."""

import asyncio
import errno
import logging
import signal
import socket
import sys

from app import default_address, errors, safe_text
from app.addresses import is_loopback
from app.cores import count_cores, pin_to_core
from app.settings import Settings, read_settings

log = logging.getLogger(__name__)


def read_server_settings(host: str | None, port: int | None, workers: int | None = None) -> Settings:
    """The settings, with what the command line says. Raises StartError if the address is not allowed."""
    options = (("host", host), ("port", port), ("workers", workers))
    settings = read_settings().model_copy(update={name: value for name, value in options if value is not None})
    if not (settings.signs_in or is_loopback(settings.host) or settings.allow_open_access):
        shown = safe_text.show_setting("HOST", settings.host)
        raise errors.StartError(
            f"{shown} can be reached from other machines, and with REQUIRE_SIGN_IN=false everyone could "
            "read everything. Remove that setting, or set ALLOW_OPEN_ACCESS=true if something in front controls access."
        )
    return settings


def choose_core(settings: Settings, number: int) -> None:
    """Keep this process on a core if settings say so; `number` is its own among them, from 0. Raises StartError."""
    if not settings.pin_workers:
        return
    if sys.platform != "linux":
        raise errors.StartError("PIN_WORKERS=true: only Linux can keep a process on a core; remove that setting.")
    if settings.workers > count_cores():
        raise errors.StartError(
            f"PIN_WORKERS=true: each of the processes of WORKERS={settings.workers} needs a core, and there "
            f"{'is one' if count_cores() == 1 else f'are {count_cores()}'} for them."
        )
    pin_to_core(number)


def outlive_hangups() -> None:
    """Ignore SIGHUP, unless it means that the terminal is gone. Sent to a service, it asks for a reload."""
    if sys.platform == "win32" or sys.stdin.isatty() or signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
        return
    told = "SIGHUP reloads nothing here, because there are no workers to replace; restart this process instead"
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, log.warning, told)


def bind_socket(host: str, port: int) -> socket.socket:
    """Bind the address before anything else starts, so that a port in use is reported at once. Raises StartError."""
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
            f"Port {port} on {host} cannot be used ({error.strerror}); choose another with --port or PORT."
        ) from error
    return listening


def _no_address(host: str) -> str:
    shown = safe_text.show_setting("HOST", host)
    return f"{shown} is not an address of this machine; set one such as {default_address.HOST} with --host or HOST."
