"""Forked processes have their own ids and output, as those that `subprocess` starts."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

from tests.forks.commands import start_footnote

_OWN_ID = "import os; print(os.getpid())"


def test_each_of_many_simultaneous_processes_has_its_own_id() -> None:
    def start(__: int) -> tuple[int, int]:
        with start_footnote(program=_OWN_ID, stdout=subprocess.PIPE) as process:
            out, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        return process.pid, int(out)

    with ThreadPoolExecutor(8) as threads:
        assert all(known == own for known, own in threads.map(start, range(100)))
