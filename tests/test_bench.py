"""What `make bench` prints and counts."""

import os
import subprocess
import sys
import threading

import pytest

from tests.bench.measured import Row, at_least, at_most, compare_tail, compare_times, heading, percentiles, table
from tests.bench.resources import children, cpu_seconds, own

_SLEEP = [sys.executable, "-c", "sum(range(10**6)); print(); input()"]


def test_percentiles_of_many_and_of_one() -> None:
    found = percentiles(range(100, 0, -1))
    assert (found.p50, found.p95, found.p99, found.worst) == (50.5, 96, 100, 100)
    assert str(percentiles([7.0])) == "7.0 ms, p95 7.0, p99 7.0"


def test_a_row_has_its_peer_its_ratio_and_its_aim_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    heading()
    table(
        "Turns",
        [
            compare_times("a turn", [20.0], "by hand", [10.0], 2.5),
            compare_tail("its tail", [*[10.0] * 99, 50.0], 3),
            Row("turns", "5 /s", "one server 4 /s", 1.25, at_least(1.6, 1.25)),
            Row("argon2", "30 ms"),
        ],
    )
    head, _, title, *rows = capsys.readouterr().out.splitlines()
    assert title == "Turns"
    cells = [
        [row[head.index(column) :].split("  ")[0] for column in ("what", "beside", "ratio", "aim")] for row in rows
    ]
    assert cells == [
        ["a turn", "by hand 10.0 ms", "2.00", "≤ 2.5 ×, met"],
        ["its tail", "p50 10.0 ms", "5.00", "≤ 3 ×, MISSED"],
        ["turns", "one server 4 /s", "1.25", "≥ 1.6 ×, MISSED"],
        ["argon2", "", "", ""],
    ]


def test_a_figure_at_its_limit_meets_its_aim() -> None:
    assert at_most(100, 100, "ms").is_met
    assert at_least(0.98, 0.98, "recall").is_met


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_processes_that_another_thread_started_are_counted() -> None:
    started: list[subprocess.Popen[bytes]] = []
    done = threading.Event()

    def run() -> None:
        started.append(subprocess.Popen(_SLEEP, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        assert started[0].stdout is not None
        started[0].stdout.readline()
        done.wait()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while not started or not own(started[0].pid):
            thread.join(0.01)
        child = started[0].pid
        assert child in children(os.getpid())
        assert cpu_seconds(os.getpid()) >= cpu_seconds(child)
    finally:
        for process in started:
            process.communicate(b"\n")
        done.set()
        thread.join()


def test_every_part_is_loaded_without_a_warning() -> None:
    """Such as that of the package of PostgreSQL, where no folder is set for sockets."""
    environment = {name: value for name, value in os.environ.items() if name != "XDG_RUNTIME_DIR"}
    command = [sys.executable, "-W", "error", "-m", "tests.bench", "--help"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
