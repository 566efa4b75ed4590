"""Commands that wait for something that does not go on, on a clock that runs sixty times as fast."""

import os
import resource
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests import newest
from tests.commands import printed_here
from tests.forks.commands import FootnoteProcess, start_footnote
from tests.servers.openai import OpenAIServer

_FAST_CLOCK = """
import os, runpy, sys, time
monotonic = time.monotonic
time.monotonic = lambda: 60 * monotonic()
if "BROKEN_PYTHON" in os.environ:
    sys.executable = os.environ["BROKEN_PYTHON"]
runpy.run_module("app", run_name="__main__", alter_sys=True)
"""


class Folder:
    """A folder with a document, in which commands use this model."""

    def __init__(self, path: Path, model: OpenAIServer, **settings: str) -> None:
        self.path = path
        newest.put(path / "footnote.db")
        (path / "bees.md").write_text("# Bees\n\nBees make honey in hives.\n")
        self._settings = {
            "PARSE_SECONDS": "3600",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "key",
            **settings,
        }

    def run(self, *arguments: str) -> str:
        """What a command prints that succeeds, on the clock that everybody has."""
        return printed_here(self.path, *arguments, **self._settings)

    @contextmanager
    def started(self, *arguments: str) -> Generator[FootnoteProcess]:
        """Start a command on the fast clock; it is ended with the block."""
        environment, pipe = {**os.environ, **self._settings}, subprocess.PIPE
        with start_footnote(
            *arguments, folder=self.path, environment=environment, stdout=pipe, stderr=pipe, program=_FAST_CLOCK
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def stop_writing(process: FootnoteProcess) -> None:
    """Let a process write to no file any more."""
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def go_on_writing(process: FootnoteProcess) -> None:
    """Let a process write to files again."""
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def read_failure(process: FootnoteProcess) -> str:
    """What a command tells last that fails."""
    _, told = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Traceback" not in told
    return told.splitlines()[-1]
