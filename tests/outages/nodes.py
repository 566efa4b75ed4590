"""A PostgreSQL and a RabbitMQ of one's own, to be stopped in the middle of work and started again."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from tests import postgres
from tests.servers.ports import closed_port

_BROKER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
_START_SECONDS = 90.0
_SUPERUSER = 0
# Whom PostgreSQL runs as where we are the superuser, which it refuses; the package makes that user.
_ACCOUNT = "pgserver"
_TICKS = os.sysconf("SC_CLK_TCK")


class PostgresNode:
    """A PostgreSQL server with its ordinary durability, in a folder, on a port of 127.0.0.1.

    Raises ImportError where there is no package for it.
    """

    def __init__(self, folder: Path) -> None:
        self.port = closed_port()
        self._folder = folder / "postgres"
        self._package = postgres.import_pgserver()
        self._programs = Path(self._package.__file__).parent / "pginstall" / "bin"
        self._as: dict[str, Any] = {}
        if os.geteuid() == _SUPERUSER:
            self._as = {"user": _ACCOUNT, "group": _ACCOUNT, "cwd": "/"}

    def __enter__(self) -> Self:
        if self._as:
            # The package makes the account, and lets it read its programs.
            self._package.get_server(self._folder.with_name("first"), cleanup_mode="delete").cleanup()
        self._folder.mkdir()
        if self._as:
            shutil.chown(self._folder, _ACCOUNT, _ACCOUNT)
        self._run("initdb", "-D", str(self._folder), "-U", "postgres", "--auth=trust", "--encoding=utf8")
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop("immediate")

    def url(self, port: int | None = None) -> str:
        """The URL of its own database, perhaps by another port that leads there."""
        return f"postgresql://postgres@127.0.0.1:{port or self.port}/postgres"

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        options = f"-h 127.0.0.1 -p {self.port} -k {self._folder} -c max_connections=200"
        self._run("pg_ctl", "-w", "-D", str(self._folder), "-l", str(self._folder / "log"), "-o", options, "start")

    def stop(self, how: str) -> None:
        """Stop it: `fast` cuts off everybody, `immediate` is as if it had crashed."""
        self._run("pg_ctl", "-w", "-D", str(self._folder), "-m", how, "stop")

    def become_standby(self) -> None:
        """Start it again as a server that repeats what another one writes, and only reads until it is promoted."""
        self.stop("fast")
        (self._folder / "standby.signal").touch()
        self.start()

    def promote(self) -> None:
        """Let a standby take over, as a failover does."""
        self._run("pg_ctl", "-w", "-D", str(self._folder), "promote")

    @contextmanager
    def hanging(self) -> Generator[None]:
        """Let it keep its connections, but neither read nor write, for as long as the block lasts."""
        processes = list(map(int, self._processes()))
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def cpu(self) -> float:
        """CPU seconds of all its processes so far."""
        return sum(map(_cpu_seconds, self._processes()))

    def _processes(self) -> list[str]:
        """The ids of its processes, of which the first starts the others."""
        first = (self._folder / "postmaster.pid").read_text().splitlines()[0]
        return [first, *Path(f"/proc/{first}/task/{first}/children").read_text().split()]

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            **self._as,
        )


def _cpu_seconds(process: str) -> float:
    """Of a process and of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS


class BrokerNode:
    """A RabbitMQ node in a folder, on a port of 127.0.0.1. Needs the program that Debian's package installs."""

    def __init__(self, folder: Path) -> None:
        self.port = closed_port()
        self._folder = folder / "rabbitmq"
        self._node = f"footnote-{self.port}@localhost"
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._folder.mkdir()
        (self._folder / "rabbitmq.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{self.port}\n")
        self._environment = {
            **os.environ,
            "HOME": str(self._folder),
            "RABBITMQ_NODENAME": self._node,
            "RABBITMQ_DIST_PORT": str(closed_port()),
            "RABBITMQ_CONFIG_FILE": str(self._folder / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": os.devnull,
            "RABBITMQ_MNESIA_BASE": str(self._folder / "data"),
            "RABBITMQ_LOG_BASE": str(self._folder / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self._folder / "plugins"),
        }
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def url(self, port: int | None = None) -> str:
        """Its URL, perhaps by another port that leads there."""
        return f"amqp://guest:guest@127.0.0.1:{port or self.port}/"

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            [_BROKER], env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                assert time.monotonic() < deadline and self._process.poll() is None, "RabbitMQ does not start"
                time.sleep(0.2)

    def stop(self) -> None:
        """Stop it as its unit would."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(_START_SECONDS)

    def control(self, *command: str) -> str:
        """What `rabbitmqctl` says to a command."""
        program = [_BROKER.with_name("rabbitmqctl"), "-q", "-n", self._node, *command]
        return subprocess.run(program, env=self._environment, check=True, capture_output=True, text=True).stdout
