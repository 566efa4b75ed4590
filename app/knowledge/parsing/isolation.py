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
from app.knowledge.parsed_documents import ParsedDocument, SplitDocument
from app.knowledge.parsing import dispatch, refusals
from app.knowledge.parsing.limits import ParsingLimits

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

Result = TypeVar("Result")
_Work = Callable[[bytes, str | None, str | None, ParsingLimits], Result]

_log = logging.getLogger(__name__)
_INLINE_BYTES = 1 << 20
_FATAL = "Fatal Python error"
_ABORTED = f"{_FATAL}: Aborted"


@dataclass(frozen=True, slots=True)
class _RefusedDocument:
    """A DocumentError sent between processes; `detail` names the type and place of its cause."""

    reason: str
    message: str
    detail: str


async def parse_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> ParsedDocument:
    """Parse `source`. Raises DocumentError, and Unavailable if no worker can be started.

    At most `limiter`'s tokens run at once; time spent waiting does not count. Worker processes are reused by this
    event loop, and replaced after they are killed.
    """
    return await _run_in_worker(_parse, source, name, media_type, limits, limiter)


async def split_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> SplitDocument:
    """Parse and split `source`, like `parse_safely`: splitting is pure Python and would block the event loop here."""
    return await _run_in_worker(_split, source, name, media_type, limits, limiter)


def _parse(data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits) -> ParsedDocument:
    page_time_limit = partial(_limit_page_time, limits.page_seconds)
    return dispatch.parse_file(data, name=name, media_type=media_type, limits=limits, page_time_limit=page_time_limit)


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
        worker_limiter = CapacityLimiter(1)  # this task already holds one of `limiter`'s tokens
        with _as_unavailable():
            await _ensure_worker(worker_limiter, limits.start_seconds)
        async with _spill_large_source(source) as file:
            with _create_crash_report() as report:
                try:
                    with anyio.fail_after(limits.seconds):
                        result = await to_process.run_sync(
                            _run_work,
                            work,
                            report,
                            file,
                            name,
                            media_type,
                            limits,
                            cancellable=True,
                            limiter=worker_limiter,
                        )
                except TimeoutError as error:
                    raise refusals.reading_timed_out(limits.seconds) from error
                except BrokenWorkerProcess as error:
                    raise _explain_crash(report, limits) from error
    if isinstance(result, _RefusedDocument):
        if result.detail:
            _log.info("document refused: %s (%s)", result.reason, result.detail)
        raise DocumentError(result.reason, result.message)
    return result


async def _ensure_worker(limiter: CapacityLimiter, seconds: float) -> None:
    """Make sure that a worker is running. If cancelled, wait for its start first: nothing else would stop it."""
    starting = asyncio.ensure_future(_start_worker(limiter, seconds))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.gather(starting, return_exceptions=True)
        raise


async def _start_worker(limiter: CapacityLimiter, seconds: float) -> None:
    """Start a worker; retry once if it is killed while starting, as by a Ctrl-C meant for its parent."""
    with anyio.fail_after(seconds):
        try:
            await to_process.run_sync(_ignore_interrupts, limiter=limiter)
        except (BrokenWorkerProcess, ProcessLookupError):
            await to_process.run_sync(_ignore_interrupts, limiter=limiter)


@asynccontextmanager
async def _spill_large_source(source: bytes | Path) -> AsyncGenerator[bytes | Path]:
    """`source`, or a file with its bytes if they are many: pickling them would block the event loop."""
    if isinstance(source, Path) or len(source) <= _INLINE_BYTES:
        yield source
        return
    file = _create_empty_file()
    try:
        with _as_unavailable():
            await to_thread.run_sync(_write_file, file, source)
        yield file
    finally:
        # Not in a thread: a task that is cancelled a second time would not wait for it.
        file.unlink(missing_ok=True)


@contextmanager
def _create_crash_report() -> Generator[Path]:
    """An empty file, into which a worker that crashes dumps its stack."""
    report = _create_empty_file()
    try:
        yield report
    finally:
        report.unlink(missing_ok=True)


def _explain_crash(report: Path, limits: ParsingLimits) -> DocumentError:
    """The error for a worker that died, from its stack dump. Native code that runs out of memory can only abort."""
    lines = report.read_text(encoding="utf-8", errors="replace").splitlines()
    _log.warning("a worker died while reading a document: %s", " ".join(lines[:1] + lines[3:4]) or "it was killed")
    if lines and not lines[0].startswith(_FATAL):
        return refusals.page_timed_out(limits.page_seconds)
    return refusals.out_of_memory() if lines[:1] == [_ABORTED] else refusals.worker_crashed()


def _create_empty_file() -> Path:
    with _as_unavailable():
        handle, name = tempfile.mkstemp(prefix="footnote-")
        os.close(handle)
    return Path(name)


@contextmanager
def _as_unavailable() -> Generator[None]:
    """Turn failures before a document is read into Unavailable: not the document's fault, so it is retried."""
    try:
        yield
    except (BrokenWorkerProcess, TimeoutError, OSError) as error:
        raise Unavailable(f"No worker can read documents now: {_describe_failure(error)}.", "parsing", 1000) from error


def _describe_failure(error: Exception) -> str:
    """Why no worker can be used; errors of processes often have no message."""
    match error:
        case TimeoutError():
            return "the process did not start in time"
        case BrokenWorkerProcess() | ProcessLookupError():
            return "the process ended while it was starting"
        case _:
            return str(error) or type(error).__name__


def _write_file(file: Path, data: bytes) -> None:
    """Write only to a file that still exists: nothing would remove one created here."""
    with file.open("r+b") as opened:
        opened.write(data)


def _ignore_interrupts() -> None:
    """Runs first in each worker, so that starting does not count towards a document's time.

    Ctrl-C reaches every process of a terminal. If it ended the worker, the document would look damaged.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_work(
    work: _Work[Result],
    report: Path,
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
) -> Result | _RefusedDocument:
    """Runs in the worker. Returns a document's error, because many exceptions cannot be pickled."""
    data = source if isinstance(source, bytes) else source.read_bytes()  # an OSError here is not the document's fault
    with report.open("r+b") as opened:
        faulthandler.enable(opened, all_threads=False)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGPROF, opened, all_threads=False, chain=True)
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
        return _RefusedDocument(error.reason, error.message, _describe_place(error.__cause__))
    except MemoryError:
        return _refuse(refusals.out_of_memory())
    except Exception as error:  # the process boundary: a hostile file can make a library raise anything
        return _refuse(refusals.damaged_file(), _describe_place(error))
    finally:
        _limit_memory(None)


def _limit_memory(more: int | None) -> None:
    """Let this process use `more` bytes of address space than it does now; None removes the limit."""
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    soft = hard
    if more is not None:
        soft = _address_space() + more if hard == resource.RLIM_INFINITY else min(hard, _address_space() + more)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (ValueError, OSError):  # macOS has the constant but not the limit; the time limit still applies
        return


def _address_space() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _refuse(error: DocumentError, detail: str = "") -> _RefusedDocument:
    return _RefusedDocument(error.reason, error.message, detail)


def _describe_place(error: BaseException | None) -> str:
    """Type and place of `error`, without its message, which may quote the document."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
