"""Run `footnote` in processes that are forked from one that has loaded it, as `subprocess` runs them from the start.

For tests about what a process does. Those about how one starts, on what it loads, on its memory, or under another
program, start an interpreter.
"""

import atexit
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from threading import Lock

from tests.forks.loaded_process import ROOT, ForkedProcess, LoadedProcess, Stream

FootnoteProcess = ForkedProcess | subprocess.Popen[str]

# Variables that the interpreter reads, none of which can be changed for one that runs.
_READ_AT_START = ("PYTHON", "LC_", "LANG")
_loading = Lock()


def start_footnote(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stdin: Stream = None,
    stdout: Stream = None,
    stderr: Stream = None,
    program: str | None = None,
    has_group: bool = False,
    loaded: LoadedProcess | None = None,
) -> FootnoteProcess:
    """Start `footnote` with these arguments; `environment` replaces ours.

    `program` is Python code that runs it. `has_group`: its processes form a group, as those of a terminal's command do.
    It is forked from `loaded`, or from the one that all tests share.
    """
    path = str(ROOT) if loaded is None else loaded.python_path
    values = {**(os.environ if environment is None else environment), "PYTHONPATH": path}
    command = [sys.executable, *(("-m", "app") if program is None else ("-c", program)), *arguments]
    if sys.platform == "linux" and not _differs_at_start(values):
        streams = (stdin, stdout, stderr)
        forked_from = loaded or _shared()
        return forked_from.start(command, folder=folder, environment=values, streams=streams, has_group=has_group)
    return subprocess.Popen(
        command,
        cwd=folder,
        env=values,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        text=True,
        process_group=0 if has_group else None,
    )


def run_footnote(
    *arguments: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    typed: str | None = None,
    seconds: float = 240,
) -> subprocess.CompletedProcess[str]:
    """Run `footnote` with these arguments to its end."""
    pipe = subprocess.PIPE
    stdin = None if typed is None else pipe
    with start_footnote(
        *arguments, folder=folder, environment=environment, stdin=stdin, stdout=pipe, stderr=pipe
    ) as process:
        try:
            out, told = process.communicate(typed, timeout=seconds)
            code = process.wait()
        finally:
            process.kill()
    return subprocess.CompletedProcess(process.args, code, out, told)


def _differs_at_start(environment: Mapping[str, str]) -> bool:
    """Whether an interpreter that starts here is another one than ours: its streams, or the hashes of its strings."""
    values, ours = (
        {name: value for name, value in each.items() if name.startswith(_READ_AT_START) and name != "PYTHONPATH"}
        for each in (environment, os.environ)
    )
    return values != ours


def _shared() -> LoadedProcess:
    """The one of this process. It ends with it."""
    with _loading:  # `cache` alone would let two threads load one each
        return _load()


@cache
def _load() -> LoadedProcess:
    loaded = LoadedProcess()
    atexit.register(loaded.close)
    return loaded
