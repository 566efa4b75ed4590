"""Reading a document in a worker process that is killed when it takes too long and has a bound on its memory."""

import logging
import os
import tempfile
import traceback
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process, to_thread

from app.errors import DocumentError
from app.knowledge import chunking
from app.knowledge.parsed import ParsedDocument, SplitDocument
from app.knowledge.parsing import reading, refusals
from app.knowledge.parsing.limits import Limits

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

Result = TypeVar("Result")
_Work = Callable[[bytes, str | None, str | None, Limits], Result]

_log = logging.getLogger(__name__)
_START_SECONDS = 30.0
_INLINE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class _Refused:
    """A DocumentError on its way between processes; `detail` says what kind of error was behind it and where."""

    reason: str
    message: str
    detail: str


async def parse_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: Limits, limiter: CapacityLimiter
) -> ParsedDocument:
    """`source` as text; raises DocumentError. At most `limiter`'s tokens run at once, and waiting costs no time.

    Worker processes are kept and used again, by this event loop only. One that is killed is replaced when needed.
    """
    return await _safely(_parse, source, name, media_type, limits, limiter)


async def split_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: Limits, limiter: CapacityLimiter
) -> SplitDocument:
    """`source` in chunks, as `parse_safely`: splitting is pure Python, which here would hold up the event loop."""
    return await _safely(_split, source, name, media_type, limits, limiter)


def _parse(data: bytes, name: str | None, media_type: str | None, limits: Limits) -> ParsedDocument:
    return reading.parse(data, name=name, media_type=media_type, limits=limits)


def _split(data: bytes, name: str | None, media_type: str | None, limits: Limits) -> SplitDocument:
    parsed = _parse(data, name, media_type, limits)
    return SplitDocument(parsed.title, parsed.media_type, tuple(chunking.split(parsed)))


async def _safely(
    work: _Work[Result],
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: Limits,
    limiter: CapacityLimiter,
) -> Result:
    async with limiter:
        one = CapacityLimiter(1)  # `limiter` is ours already
        with anyio.fail_after(_START_SECONDS, shield=True):
            await to_process.run_sync(_start, limiter=one)
        async with _at_hand(source) as file:
            try:
                with anyio.fail_after(limits.seconds):
                    result = await to_process.run_sync(
                        _attempt, work, file, name, media_type, limits, cancellable=True, limiter=one
                    )
            except TimeoutError as error:
                raise refusals.timeout(limits.seconds) from error
            except BrokenWorkerProcess as error:
                raise refusals.died() from error
    if isinstance(result, _Refused):
        if result.detail:
            _log.info("document refused: %s (%s)", result.reason, result.detail)
        raise DocumentError(result.reason, result.message)
    return result


@asynccontextmanager
async def _at_hand(source: bytes | Path) -> AsyncGenerator[bytes | Path]:
    """`source` as it travels: large bytes by way of a file, as pickling them would hold up the event loop."""
    if isinstance(source, Path) or len(source) <= _INLINE_BYTES:
        yield source
        return
    file = _empty_file()
    try:
        await to_thread.run_sync(_fill, file, source)
        yield file
    finally:
        # At once and not in a thread: a task that is cancelled a second time would not wait for that.
        file.unlink(missing_ok=True)


def _empty_file() -> Path:
    handle, name = tempfile.mkstemp(prefix="footnote-")
    os.close(handle)
    return Path(name)


def _fill(file: Path, data: bytes) -> None:
    """Only a file that is still there: nobody would remove one that is made anew."""
    with file.open("r+b") as opened:
        opened.write(data)


def _start() -> None:
    """Nothing: it makes sure that a worker is up, so that its start is not on a document's time."""


def _attempt(
    work: _Work[Result], source: bytes | Path, name: str | None, media_type: str | None, limits: Limits
) -> Result | _Refused:
    """Run in the worker. Returns what is wrong with a document, because many exceptions do not survive pickling."""
    data = source if isinstance(source, bytes) else source.read_bytes()  # an OSError here is not the document's fault
    try:
        _bound_memory(limits.memory_bytes)
        return work(data, name, media_type, limits)
    except DocumentError as error:
        return _Refused(error.reason, error.message, _detail(error.__cause__))
    except MemoryError:
        return _refused(refusals.out_of_memory())
    except Exception as error:  # the process boundary: whatever a hostile file makes a library raise
        return _refused(refusals.broken("This file"), _detail(error))
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
