"""Reading a document in a worker process that is killed when it takes too long and has a bound on its memory."""

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
class _Refused:
    """A DocumentError on its way between processes; `detail` says what kind of error was behind it and where."""

    reason: str
    message: str
    detail: str


async def parse_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> ParsedDocument:
    """`source` as text; raises DocumentError, and Unavailable where no worker can be had.

    At most `limiter`'s tokens run at once, and waiting costs no time. Worker processes are kept and used again, by this
    event loop only. One that is killed is replaced when needed.
    """
    return await _safely(_parse, source, name, media_type, limits, limiter)


async def split_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> SplitDocument:
    """`source` in chunks, as `parse_safely`: splitting is pure Python, which here would hold up the event loop."""
    return await _safely(_split, source, name, media_type, limits, limiter)


def _parse(data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits) -> ParsedDocument:
    bound = partial(_page_bound, limits.page_seconds)
    return reading.parse_file(data, name=name, media_type=media_type, limits=limits, page_time_limit=bound)


@contextmanager
def _page_bound(seconds: float) -> Generator[None]:
    """End this process when the block takes more of the processor's time, with words of where it was."""
    if sys.platform == "win32":  # there, only the time of the whole document is bounded
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


async def _safely(
    work: _Work[Result],
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
    limiter: CapacityLimiter,
) -> Result:
    async with limiter:
        one = CapacityLimiter(1)  # `limiter` is ours already
        with _our_fault():
            await _started(one)
        async with _at_hand(source) as file:
            with _note() as note:
                try:
                    with anyio.fail_after(limits.seconds):
                        result = await to_process.run_sync(
                            _attempt, work, note, file, name, media_type, limits, cancellable=True, limiter=one
                        )
                except TimeoutError as error:
                    raise refusals.reading_timed_out(limits.seconds) from error
                except BrokenWorkerProcess as error:
                    raise _died(note, limits) from error
    if isinstance(result, _Refused):
        if result.detail:
            _log.info("document refused: %s (%s)", result.reason, result.detail)
        raise DocumentError(result.reason, result.message)
    return result


async def _started(limiter: CapacityLimiter) -> None:
    """A worker is up. One that is just being started is waited for, for nobody would end it when we are cancelled."""
    starting = asyncio.ensure_future(_start_one(limiter))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.gather(starting, return_exceptions=True)
        raise


async def _start_one(limiter: CapacityLimiter) -> None:
    """One that is killed as it starts, as by a Ctrl-C that is meant for its parent, is tried once more."""
    with anyio.fail_after(_START_SECONDS):
        try:
            await to_process.run_sync(_start, limiter=limiter)
        except (BrokenWorkerProcess, ProcessLookupError):
            await to_process.run_sync(_start, limiter=limiter)


@asynccontextmanager
async def _at_hand(source: bytes | Path) -> AsyncGenerator[bytes | Path]:
    """`source` as it travels: large bytes by way of a file, as pickling them would hold up the event loop."""
    if isinstance(source, Path) or len(source) <= _INLINE_BYTES:
        yield source
        return
    file = _empty_file()
    try:
        with _our_fault():
            await to_thread.run_sync(_fill, file, source)
        yield file
    finally:
        # At once and not in a thread: a task that is cancelled a second time would not wait for that.
        file.unlink(missing_ok=True)


@contextmanager
def _note() -> Generator[Path]:
    """An empty file, in which a worker that crashes says of what."""
    note = _empty_file()
    try:
        yield note
    finally:
        note.unlink(missing_ok=True)


def _died(note: Path, limits: ParsingLimits) -> DocumentError:
    """Why a worker is gone, by its last words. Native code that gets no memory has no way out but to abort."""
    words = note.read_text(encoding="utf-8", errors="replace").splitlines()
    _log.warning("a worker died while reading a document: %s", " ".join(words[:1] + words[3:4]) or "it was killed")
    if words and not words[0].startswith(_FATAL):
        return refusals.page_timed_out(limits.page_seconds)
    return refusals.out_of_memory() if words[:1] == [_ABORTED] else refusals.worker_crashed()


def _empty_file() -> Path:
    with _our_fault():
        handle, name = tempfile.mkstemp(prefix="footnote-")
        os.close(handle)
    return Path(name)


@contextmanager
def _our_fault() -> Generator[None]:
    """What goes wrong before a document is read is not the document's fault: it waits, and is tried again."""
    try:
        yield
    except (BrokenWorkerProcess, TimeoutError, OSError) as error:
        raise Unavailable(f"No worker can read documents now: {error}.", "parsing", 1000) from error


def _fill(file: Path, data: bytes) -> None:
    """Only a file that is still there: nobody would remove one that is made anew."""
    with file.open("r+b") as opened:
        opened.write(data)


def _start() -> None:
    """Make sure that a worker is up, so that its start is not on a document's time.

    Ctrl-C goes to all processes of a terminal; it is for our parent to end us, or the document would look like broken.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _attempt(
    work: _Work[Result],
    note: Path,
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
) -> Result | _Refused:
    """Run in the worker. Returns what is wrong with a document, because many exceptions do not survive pickling."""
    data = source if isinstance(source, bytes) else source.read_bytes()  # an OSError here is not the document's fault
    with note.open("r+b") as last_words:
        faulthandler.enable(last_words, all_threads=False)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGPROF, last_words, all_threads=False, chain=True)
        try:
            return _bounded(work, data, name, media_type, limits)
        finally:
            faulthandler.disable()
            if sys.platform != "win32":
                faulthandler.unregister(signal.SIGPROF)


def _bounded(
    work: _Work[Result], data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits
) -> Result | _Refused:
    try:
        _bound_memory(limits.memory_bytes)
        return work(data, name, media_type, limits)
    except DocumentError as error:
        return _Refused(error.reason, error.message, _detail(error.__cause__))
    except MemoryError:
        return _refused(refusals.out_of_memory())
    except Exception as error:  # the process boundary: whatever a hostile file makes a library raise
        return _refused(refusals.damaged_file("This file"), _detail(error))
    finally:
        _bound_memory(None)


def _bound_memory(more: int | None) -> None:
    """Let this process have `more` bytes of address space than it has now; None lifts the bound."""
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


def _refused(error: DocumentError, detail: str = "") -> _Refused:
    return _Refused(error.reason, error.message, detail)


def _detail(error: BaseException | None) -> str:
    """Kind and place of `error`, without its message, which may quote the document."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
