"""Forked processes are used like those that `subprocess` starts, and do the same."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.forks.commands import FootnoteProcess, start_footnote
from tests.forks.loaded_process import ForkedProcess

_OWN_ID = "import os; print(os.getpid())"
_ECHO = "import sys; print(*sys.argv[1:], input()); print('error', file=sys.stderr); sys.exit('no')"
_WAIT = "import sys; print('begun', flush=True); print(input())"
_PIPE = subprocess.PIPE

# With another encoding, an interpreter is started: what both do alike is what `subprocess` does.
both = pytest.mark.parametrize("environment", [{}, {"PYTHONIOENCODING": "utf-8"}], ids=["forked", "started"])


@both
def test_input_output_and_exit_code(environment: dict[str, str], tmp_path: Path) -> None:
    with start(_ECHO, "Grüße", environment=environment, folder=tmp_path) as process:
        assert process.communicate("aus Köln\n", timeout=60) == ("Grüße aus Köln\n", "error\nno\n")
        assert process.communicate() == ("Grüße aus Köln\n", "error\nno\n")
    assert (process.poll(), process.wait(), process.returncode) == (1, 1, 1)


@both
def test_a_process_that_was_waited_for_in_vain_goes_on(environment: dict[str, str]) -> None:
    with start(_WAIT, environment=environment) as process:
        assert process.stdin and process.stdout
        assert process.stdout.readline() == "begun\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
        assert process.poll() is None
        process.stdin.write("on\n")
        process.stdin.flush()
        assert process.communicate(timeout=60) == ("on\n", "")
    assert process.returncode == 0


@both
def test_a_group_is_killed_at_once(environment: dict[str, str]) -> None:
    with start(_WAIT, environment=environment, has_group=True) as process:
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL
        process.terminate()  # of a process that has ended nothing is asked


def start(
    program: str,
    *arguments: str,
    environment: dict[str, str],
    folder: Path | None = None,
    has_group: bool = False,
) -> FootnoteProcess:
    process = start_footnote(
        *arguments,
        program=program,
        environment={**os.environ, **environment},
        folder=folder,
        stdin=_PIPE,
        stdout=_PIPE,
        stderr=_PIPE,
        has_group=has_group,
    )
    assert isinstance(process, ForkedProcess) == (sys.platform == "linux" and not environment)
    return process


def test_each_of_many_simultaneous_processes_has_its_own_id() -> None:
    def start(__: int) -> tuple[int, int]:
        with start_footnote(program=_OWN_ID, stdout=subprocess.PIPE) as process:
            out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        return process.pid, int(out)

    with ThreadPoolExecutor(8) as threads:
        assert all(known == own for known, own in threads.map(start, range(100)))
