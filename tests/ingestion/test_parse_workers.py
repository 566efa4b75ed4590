"""Parsing in worker processes: they are killed, replaced and shared, and end with their server."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
import uvloop
from anyio import CapacityLimiter

from app.errors import DocumentError
from app.knowledge.parsed_documents import SplitDocument
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.splitter import Splitter
from tests.evaluation.odd_files import children
from tests.files.pdf import paragraph, pdf

SLOW = b"<html><p>" + b"<b><i>x</i></b>" * 500_000


async def _in_a_worker() -> None:
    limiter = CapacityLimiter(1)

    async def read(source: bytes | Path, limits: ParsingLimits) -> str:
        try:
            found = await split_safely(source, name=None, media_type=None, limits=limits, limiter=limiter)
        except DocumentError as error:
            return error.reason
        return found.chunks[0].text

    assert await read(b"hello", ParsingLimits()) == "hello"
    assert await read(SLOW, ParsingLimits(seconds=0.05)) == "TIMEOUT"
    assert await read(b"a new worker", ParsingLimits()) == "a new worker"
    assert await read(SLOW, ParsingLimits(memory_bytes=50_000_000)) == "OUT_OF_MEMORY"
    assert await read(b"the same worker", ParsingLimits()) == "the same worker"
    assert await read(pdf([[]]), ParsingLimits()) == "NO_TEXT_LAYER"
    with anyio.move_on_after(0.05) as scope:
        await read(SLOW, ParsingLimits())
    assert scope.cancelled_caught
    ticks = 0
    async with anyio.create_task_group() as tasks:

        async def wait() -> None:
            await read(SLOW, ParsingLimits(seconds=0.5))
            tasks.cancel_scope.cancel()

        tasks.start_soon(wait)
        while True:
            await anyio.lowlevel.checkpoint()
            ticks += 1
    assert ticks > 1000  # the event loop is free meanwhile


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_worker_is_killed_and_replaced(run: Callable[..., None]) -> None:
    run(_in_a_worker())


@pytest.mark.skipif(sys.platform == "win32", reason="there, the time that passes is limited")
async def test_waiting_does_not_count_as_reading(tmp_path: Path) -> None:
    """As for a processor on a busy machine; here the worker waits for its file."""
    file = tmp_path / "a.md"
    os.mkfifo(file)

    def reading(source: bytes | Path, limits: ParsingLimits) -> asyncio.Task[SplitDocument]:
        limiter = CapacityLimiter(1)
        return asyncio.create_task(split_safely(source, name=None, media_type=None, limits=limits, limiter=limiter))

    waits = reading(file, ParsingLimits(seconds=0.3))
    with pytest.raises(DocumentError, match=r"takes more than 0\.5 seconds"):
        await reading(SLOW, ParsingLimits(seconds=0.5))
    assert not waits.done()
    await anyio.Path(file).write_text("Larks sing.")
    assert (await waits).chunks[0].text == "Larks sing."
    with pytest.raises(DocumentError) as caught:
        await reading(file, ParsingLimits(elapsed_seconds=0.3))
    assert caught.value.reason == "TIMEOUT", "it hangs"


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Tesseract is a shell script")
async def test_what_other_programs_take_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\ni=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo Words.\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.defpath}")
    limits, scan = ParsingLimits(seconds=1.0), pdf([paragraph()] * 1000)
    with pytest.raises(DocumentError, match="Reading this document takes more than 1 second"):
        await split_safely(scan, name=None, media_type=None, limits=limits, limiter=CapacityLimiter(1))


async def _until_the_worker_ends() -> None:
    limits, limiter = ParsingLimits(idle_seconds=1.0, seconds=2.0), CapacityLimiter(1)

    async def read(source: bytes) -> SplitDocument:
        return await split_safely(source, name=None, media_type=None, limits=limits, limiter=limiter)

    before = set(children(os.getpid()))
    for text in (b"one", b"another, by a new worker"):
        assert (await read(text)).chunks[0].text == text.decode()
        [worker] = set(children(os.getpid())) - before
        await ended(worker)
    with pytest.raises(DocumentError) as caught:
        await read(SLOW)
    assert caught.value.reason == "TIMEOUT", "it is not idle while it works"


async def ended(process: int) -> None:
    """Wait for the end of a child process."""
    watched = os.pidfd_open(process)
    try:
        await anyio.wait_readable(watched)
    finally:
        os.close(watched)


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_a_worker_without_work_ends(run: Callable[..., None]) -> None:
    run(_until_the_worker_ends())


STOPPED = """
import asyncio, os, sys, tempfile
from pathlib import Path
from anyio import CapacityLimiter
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits

def size(number):
    try:
        return os.fstat(number).st_size
    except OSError:
        return 0

async def stop():
    slow = b"<html><p>" + b"<b><i>x</i></b>" * 500_000
    folder = Path(tempfile.gettempdir())
    limiter = CapacityLimiter(1)
    work = split_safely(slow, name=None, media_type=None, limits=ParsingLimits(), limiter=limiter)
    reading = asyncio.create_task(work)
    while not any(size(number) >= len(slow) for number in range(100)):
        assert not reading.done()
        await asyncio.sleep(0)
    if sys.argv[1:] == ["killed"]:
        print("left:", [file.name for file in folder.iterdir()], flush=True)
        os.kill(os.getpid(), 9)
    while not reading.done():
        reading.cancel()
        await asyncio.sleep(0)
    print("left:", [file.name for file in folder.iterdir()])

asyncio.run(stop())
"""


def test_nothing_is_left_when_the_server_stops(tmp_path: Path) -> None:
    """Even if the cleanup task is cancelled again. Runs in its own process, since it leaks the worker's pipes."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    stopped = subprocess.run(
        [sys.executable, "-c", STOPPED], env=environment, capture_output=True, text=True, check=True
    )
    assert stopped.stdout == "left: []\n"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, others can only open a file by its name")
def test_nothing_is_left_when_the_server_is_killed(tmp_path: Path) -> None:
    """It has written a whole document for its worker, and nobody would remove it."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    killed = subprocess.run(
        [sys.executable, "-c", STOPPED, "killed"], env=environment, capture_output=True, text=True, check=False
    )
    assert (killed.returncode, killed.stdout) == (-signal.SIGKILL, "left: []\n")
    assert not list(tmp_path.iterdir())


async def test_small_files_are_read_together_and_what_is_slow_by_itself() -> None:
    splitter = Splitter(ParsingLimits(), CapacityLimiter(1))
    one, empty, other = (
        (b"# One\n\nText.", None, "text/markdown"),
        (b" ", None, "text/plain"),
        (b"Two.", None, "text/plain"),
    )
    first, second, third = await splitter.split_together([one, empty, other]) or []
    assert isinstance(first, SplitDocument)
    assert isinstance(third, SplitDocument)
    assert (first.title, third.chunks[0].text) == ("One", "Two.")
    assert isinstance(second, DocumentError) or not second.chunks
    slow, portable = (SLOW, None, "text/html"), (pdf([paragraph("Words")]), None, "application/pdf")
    assert await splitter.split_together([slow, one]) is None
    assert await splitter.split_together([portable, one]) == []
    assert len(await splitter.split_together([one, other, portable, other]) or []) == 2


async def test_groups_of_small_files_share_a_worker_and_groups_of_large_ones_do_not() -> None:
    """Each worker that starts takes the time of hundreds of short texts."""
    splitter, before = Splitter(ParsingLimits(), CapacityLimiter(3)), set(children(os.getpid()))
    small = [(b"<p>" + b"Words. " * 1000, None, "text/html"), (b"Words. " * 3000, None, "text/plain")] * 2
    results = await asyncio.gather(*(splitter.split_together(small) for _ in range(3)))
    assert all(results)
    assert len(set(children(os.getpid())) - before) <= 1
    large = [(b"Words." + b" " * 300_000, None, "text/plain")]
    results = await asyncio.gather(*(splitter.split_together(large) for _ in range(3)))
    assert all(results)
    assert len(set(children(os.getpid())) - before) > 1


async def test_files_are_read_in_the_worker(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    await anyio.Path(path).write_text("# Title\n\nText")
    found = await split_safely(path, name="a.md", media_type=None, limits=ParsingLimits(), limiter=CapacityLimiter(1))
    assert found.title == "Title"
    with pytest.raises(FileNotFoundError):
        await split_safely(
            tmp_path / "none", name=None, media_type=None, limits=ParsingLimits(), limiter=CapacityLimiter(1)
        )


UNSTARTED = """
import asyncio, sys
from anyio import CapacityLimiter
from app.errors import Unavailable
from app.knowledge.parsing.isolation import split_safely
from app.knowledge.parsing.limits import ParsingLimits

async def read():
    sys.executable = sys.argv[1]
    limits = ParsingLimits(start_seconds=float(sys.argv[2]))
    try:
        await split_safely(b"text", name=None, media_type=None, limits=limits, limiter=CapacityLimiter(1))
    except Unavailable as error:
        print(error.message)

asyncio.run(read())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Python is a shell script")
@pytest.mark.parametrize(
    ("instead", "seconds", "why"),
    [("exit 1", 30, "the process ended while it was starting"), ("exec cat", 0.5, "the process did not start in time")],
)
def test_it_is_said_why_no_worker_starts(tmp_path: Path, instead: str, seconds: float, why: str) -> None:
    """Runs in its own process, since it leaks the pipes of what does not start."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{instead}\n")
    python.chmod(0o700)
    command = [sys.executable, "-W", "ignore", "-c", UNSTARTED, str(python), str(seconds)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == f"No worker can read documents now: {why}.\n"
