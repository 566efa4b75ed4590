"""A real Redis server for one test, on a socket in a folder, that can be killed and restarted."""

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

_SECONDS = 60.0


def installed() -> bool:
    """Whether Redis is installed."""
    return shutil.which("redis-server") is not None


class RedisServer:
    """A Redis without persistence: it restarts empty."""

    def __init__(self) -> None:
        # A path of a socket has at most about a hundred characters; those of tests are long.
        self._folder = tempfile.mkdtemp(prefix="redis-")
        self._socket = Path(self._folder) / "s"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its URL, as REDIS_URL."""
        return f"unix://{self._socket}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        command = [
            "redis-server",
            "--port",
            "0",
            "--unixsocket",
            str(self._socket),
            "--save",
            "",
            "--dir",
            self._folder,
        ]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + _SECONDS
        while not self._answers():
            assert self._process.poll() is None and time.monotonic() < deadline, "Redis did not start"
            time.sleep(0.01)

    @property
    def socket(self) -> Path:
        """Where it listens."""
        return self._socket

    def command(self, *words: str) -> None:
        """Have it do what an operator says; it must agree."""
        with socket.socket(socket.AF_UNIX) as asking:
            asking.connect(str(self._socket))
            asking.sendall(f"{' '.join(words)}\r\n".encode())
            answer = asking.recv(200)
            assert answer.startswith(b"+OK"), answer

    def kill(self) -> None:
        """Kill it in the middle of whatever it is doing."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_SECONDS)
            self._process = None

    def close(self) -> None:
        """Kill it and remove its files."""
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as asking:
            try:
                asking.connect(str(self._socket))
                asking.sendall(b"PING\r\n")
                return asking.recv(16).startswith(b"+PONG")
            except OSError:
                return False
