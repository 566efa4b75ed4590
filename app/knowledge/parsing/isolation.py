"""Parse documents in worker processes with limits on time and memory."""

import asyncio
import faulthandler
import logging
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process, to_thread

from app.errors import DocumentError, Unavailable
from app.knowledge import chunking
from app.knowledge.parsed import ParsedDocument, SplitDocument
from app.knowledge.parsing import reading, refusals
from app.knowledge.parsing.limits import ParsingLimits

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

Result = TypeVar("Result")
_Work = Callable[[bytes, str | None, str | None, ParsingLimits], Result]

_log = logging.getLogger(__name__)
_START_SECONDS = 30.0
_INLINE_BYTES = 1 << 20
_FATAL = "Fatal Python error"
_ABORTED = f"{_FATAL}: Aborted"


@dataclass(frozen=True, slots=True)
class _RefusedDocument:
    """A DocumentError on its way between processes; `detail` names the kind and place of its cause."""

    reason: str
    message: str
    detail: str


async def parse_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> ParsedDocument:
    """Parse `source`. Raises DocumentError, and Unavailable if no worker can be started.

    At most `limiter`'s tokens run at once; waiting does not count towards the time limit. Worker processes are reused
    by this event loop, and replaced after they are killed.
    """
    return await _run_in_worker(_parse, source, name, media_type, limits, limiter)


async def split_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> SplitDocument:
    """Parse and split `source`, like `parse_safely`: splitting is pure Python and would block the event loop here."""
    return await _run_in_worker(_split, source, name, media_type, limits, limiter)


def _parse(data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits) -> ParsedDocument:
    bound = partial(_limit_page_time, limits.page_seconds)
    return reading.parse_file(data, name=name, media_type=media_type, limits=limits, page_time_limit=bound)


@contextmanager
def _limit_page_time(seconds: float) -> Generator[None]:
    """Kill this process with a stack dump if the block takes more processor time."""
    if sys.platform == "win32":  # there, only the time of the whole document is limited
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _split(data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits) -> SplitDocument:
    parsed = _parse(data, name, media_type, limits)
    chunks = tuple(islice(chunking.iterate_chunks(parsed), limits.chunks + 1))
    if len(chunks) > limits.chunks:
        raise refusals.too_many("pieces to search", limits.chunks)
    return SplitDocument(parsed.title, parsed.media_type, chunks)


async def _run_in_worker(
    work: _Work[Result],
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
    limiter: CapacityLimiter,
) -> Result:
    async with limiter:
        one = CapacityLimiter(1)  # `limiter` is ours already
        with _blame_server():
            await _ensure_worker(one)
        async with _transferable(source) as file:
            with _crash_report() as note:
                try:
                    with anyio.fail_after(limits.seconds):
                        result = await to_process.run_sync(
                            _run_work, work, note, file, name, media_type, limits, cancellable=True, limiter=one
                        )
                except TimeoutError as error:
                    raise refusals.reading_timed_out(limits.seconds) from error
                except BrokenWorkerProcess as error:
                    raise _explain_crash(note, limits) from error
    if isinstance(result, _RefusedDocument):
        if result.detail:
            _log.info("document refused: %s (%s)", result.reason, result.detail)
        raise DocumentError(result.reason, result.message)
    return result


async def _ensure_worker(limiter: CapacityLimiter) -> None:
    """Make sure that a worker is running. If cancelled, wait for its start first: nobody else would end it."""
    starting = asyncio.ensure_future(_start_worker(limiter))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.gather(starting, return_exceptions=True)
        raise


async def _start_worker(limiter: CapacityLimiter) -> None:
    """Start a worker; retry once if it is killed while starting, as by a Ctrl-C meant for its parent."""
    with anyio.fail_after(_START_SECONDS):
        try:
            await to_process.run_sync(_ignore_interrupts, limiter=limiter)
        except (BrokenWorkerProcess, ProcessLookupError):
            await to_process.run_sync(_ignore_interrupts, limiter=limiter)


@asynccontextmanager
async def _transferable(source: bytes | Path) -> AsyncGenerator[bytes | Path]:
    """`source` in a form to send: large bytes as a file, because pickling them would block the event loop."""
    if isinstance(source, Path) or len(source) <= _INLINE_BYTES:
        yield source
        return
    file = _empty_file()
    try:
        with _blame_server():
            await to_thread.run_sync(_write_file, file, source)
        yield file
    finally:
        # Not in a thread: a task that is cancelled a second time would not wait for it.
        file.unlink(missing_ok=True)


@contextmanager
def _crash_report() -> Generator[Path]:
    """An empty file into which a crashing worker dumps its stack."""
    note = _empty_file()
    try:
        yield note
    finally:
        note.unlink(missing_ok=True)


def _explain_crash(note: Path, limits: ParsingLimits) -> DocumentError:
    """The error for a worker that died, by its stack dump. Native code without memory can only abort."""
    words = note.read_text(encoding="utf-8", errors="replace").splitlines()
    _log.warning("a worker died while reading a document: %s", " ".join(words[:1] + words[3:4]) or "it was killed")
    if words and not words[0].startswith(_FATAL):
        return refusals.page_timed_out(limits.page_seconds)
    return refusals.out_of_memory() if words[:1] == [_ABORTED] else refusals.worker_crashed()


def _empty_file() -> Path:
    with _blame_server():
        handle, name = tempfile.mkstemp(prefix="footnote-")
        os.close(handle)
    return Path(name)


@contextmanager
def _blame_server() -> Generator[None]:
    """Turn failures before a document is read into Unavailable: not the document's fault, so it is retried."""
    try:
        yield
    except (BrokenWorkerProcess, TimeoutError, OSError) as error:
        raise Unavailable(f"No worker can read documents now: {error}.", "parsing", 1000) from error


def _write_file(file: Path, data: bytes) -> None:
    """Write only into a file that still exists: nobody would remove a new one."""
    with file.open("r+b") as opened:
        opened.write(data)


def _ignore_interrupts() -> None:
    """Run first in each worker, so that its start does not count towards a document's time.

    Ctrl-C reaches all processes of a terminal. The parent must end the worker, or the document would look damaged.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_work(
    work: _Work[Result],
    note: Path,
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
) -> Result | _RefusedDocument:
    """Run in the worker. Returns a document's error, because many exceptions do not survive pickling."""
    data = source if isinstance(source, bytes) else source.read_bytes()  # an OSError here is not the document's fault
    with note.open("r+b") as last_words:
        faulthandler.enable(last_words, all_threads=False)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGPROF, last_words, all_threads=False, chain=True)
        try:
            return _run_in_memory_limit(work, data, name, media_type, limits)
        finally:
            faulthandler.disable()
            if sys.platform != "win32":
                faulthandler.unregister(signal.SIGPROF)


def _run_in_memory_limit(
    work: _Work[Result], data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits
) -> Result | _RefusedDocument:
    try:
        _limit_memory(limits.memory_bytes)
        return work(data, name, media_type, limits)
    except DocumentError as error:
        return _RefusedDocument(error.reason, error.message, _error_place(error.__cause__))
    except MemoryError:
        return _refuse(refusals.out_of_memory())
    except Exception as error:  # the process boundary: whatever a hostile file makes a library raise
        return _refuse(refusals.damaged_file("This file"), _error_place(error))
    finally:
        _limit_memory(None)


def _limit_memory(more: int | None) -> None:
    """Allow this process `more` bytes of address space than it has now; None removes the limit."""
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = hard
    if more is not None:
        soft = _address_space() + more if hard == resource.RLIM_INFINITY else min(hard, _address_space() + more)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (ValueError, OSError):  # macOS knows the name but not the limit; the time limit still holds
        return


def _address_space() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _refuse(error: DocumentError, detail: str = "") -> _RefusedDocument:
    return _RefusedDocument(error.reason, error.message, detail)


def _error_place(error: BaseException | None) -> str:
    """Kind and place of `error`, without its message, which may quote the document."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
