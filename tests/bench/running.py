"""Run servers, peers, models and clients as processes of their own, and talk to them by lines."""

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.bench.resources import cpu_seconds, resident


@dataclass
class Server:
    """A running `footnote serve`: its process and its GraphQL address."""

    pid: int
    url: str

    def cpu(self) -> float:
        """CPU seconds used so far, by its workers too."""
        return cpu_seconds(self.pid)

    def memory(self) -> float:
        """Resident MB, with its workers."""
        return resident(self.pid) / 1e6


@contextmanager
def process(
    *command: str, env: dict[str, str] | None = None, stderr: int | None = None, code: str | None = None
) -> Generator[subprocess.Popen[str]]:
    """Run a Python module with pipes; kill it at the end."""
    arguments, pipe = [sys.executable, "-m", *command], subprocess.PIPE
    with subprocess.Popen(arguments, text=True, stdin=pipe, stdout=pipe, stderr=stderr, env=env, cwd=code) as running:
        try:
            yield running
        finally:
            running.kill()


def line(process: subprocess.Popen[str]) -> str:
    """Read a line of the standard output of a process."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def say(process: subprocess.Popen[str], line: str = "") -> None:
    """Write a line to the standard input of a process."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


@contextmanager
def serving(environment: dict[str, str], code: str | None = None) -> Generator[Server]:
    """A running server; `code`: the folder of another version."""
    with process("app", "serve", "--port", "0", env=environment, stderr=subprocess.DEVNULL, code=code) as running:
        assert running.stdout is not None
        url = next(word for line in running.stdout for word in line.split() if word.endswith("/graphql"))
        yield Server(running.pid, url)


@contextmanager
def commits(path: str) -> Generator[list[float]]:
    """The times of commits, as another connection sees them, sampled more often than the journal writes."""
    seen: list[float] = []
    stop = threading.Event()

    def watch() -> None:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        last = None
        while not stop.wait(0.004):
            version = connection.execute("PRAGMA data_version").fetchone()[0]
            if version != last:
                seen.append(time.monotonic())
                last = version
        connection.close()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        stop.set()
        thread.join()
