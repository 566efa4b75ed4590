"""Parse documents in worker processes with limits on time and memory."""

import asyncio
import logging
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import anyio
from anyio import BrokenWorkerProcess, CapacityLimiter, to_process, to_thread

from app.cores import CORES
from app.errors import DocumentError, Unavailable
from app.knowledge.parsed_documents import PageArea, QuotedText, SplitDocument
from app.knowledge.parsing import processor_time, refusals, worker
from app.knowledge.parsing.formats import Format
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.temporary_files import TemporaryFile

Result = TypeVar("Result")
_log = logging.getLogger(__name__)
_INLINE_BYTES = 1 << 20
# Attempts to use a worker: workers that became idle together may all end just as the next file arrives.
_STARTS = 5
# A worker that reads several files is killed after this time.
_TOGETHER_SECONDS = 1.0
# The first bytes of formats whose files can take long even if they are small.
_SLOW_FORMATS = (b"%PDF", b"PK")
# A worker for these loads only their parsers, which is quick. Files that turn out to be something else are still read.
_TEXTS = Format.MARKDOWN.value.declared_as | {Format.TEXT.value.media_type}
_FATAL = "Fatal Python error"
_ABORTED = f"{_FATAL}: Aborted"


async def split_safely(
    source: bytes | Path, *, name: str | None, media_type: str | None, limits: ParsingLimits, limiter: CapacityLimiter
) -> SplitDocument:
    """Parse and split `source` in a worker. Raises DocumentError, and Unavailable if no worker can be started.

    `limiter` bounds the number of workers that run at once; time spent waiting for it does not count. Workers are
    reused by this event loop, and replaced after they are killed. Splitting is pure Python, so it would block the
    event loop.
    """
    return await _run_in_worker(worker.split, source, name, media_type, limits, limiter)


async def find_quotes_safely(
    source: bytes, quotes: Sequence[QuotedText], *, limits: ParsingLimits, limiter: CapacityLimiter
) -> list[tuple[PageArea, ...]]:
    """Find the areas of each quote on the pages of a PDF, within the limits. Raises like `split_safely`."""
    return await _run_in_worker(partial(worker.find_quotes, quotes), source, None, None, limits, limiter)


async def draw_page_safely(
    source: bytes, number: int, width: int, *, limits: ParsingLimits, limiter: CapacityLimiter
) -> bytes | None:
    """Draw a page of a PDF as a PNG, within the limits; None if there is no such page. Raises like `split_safely`."""
    return await _run_in_worker(partial(worker.draw_page, number, width), source, None, None, limits, limiter)


async def split_together(
    sources: Sequence[worker.NamedFile], *, limits: ParsingLimits, limiter: CapacityLimiter
) -> list[SplitDocument | DocumentError] | None:
    """Parse and split the first few of several small files, as many as are quickly done, in one request to a worker.

    Returns an empty list if the first file may take long. Returns None if they took too long or the worker died: then
    each file must be read separately. Raises Unavailable if no worker can be started.
    """
    quick = list(takewhile(lambda source: not source[0][:1024].lstrip().startswith(_SLOW_FORMATS), sources))
    if not quick:
        return []
    are_texts = all(media_type in _TEXTS for _, _, media_type in quick)
    async with limiter:
        worker_limiter = CapacityLimiter(1)  # this task already holds one of `limiter`'s tokens
        with _as_unavailable():
            await _ensure_worker(worker_limiter, limits, for_texts=are_texts)
        try:
            with anyio.fail_after(_TOGETHER_SECONDS):
                results = await to_process.run_sync(
                    worker.split_some, quick, limits, cancellable=True, limiter=worker_limiter
                )
        except (TimeoutError, BrokenWorkerProcess):
            return None
    return read_errors(results)


def read_errors(
    results: Sequence[SplitDocument | worker.RefusedDocument],
) -> list[SplitDocument | DocumentError]:
    """The results of a worker, with refusals converted to errors."""
    return [_read_error(result) if isinstance(result, worker.RefusedDocument) else result for result in results]


async def _run_in_worker(
    work: worker.Work[Result],
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
    limiter: CapacityLimiter,
) -> Result:
    async with limiter:
        worker_limiter = CapacityLimiter(1)  # this task already holds one of `limiter`'s tokens
        with _as_unavailable():
            await _ensure_worker(worker_limiter, limits)
        async with _spill_large_source(source) as file:
            with _open_temporary_file() as report:  # into which a worker that crashes dumps its stack
                try:
                    with anyio.fail_after(limits.elapsed_seconds):
                        result = await to_process.run_sync(
                            worker.run_work,
                            work,
                            report.path,
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
    if isinstance(result, worker.RefusedDocument):
        raise _read_error(result)
    return result


def _read_error(refused: worker.RefusedDocument) -> DocumentError:
    if refused.detail:
        _log.info("document refused: %s (%s)", refused.reason, refused.detail)
    return DocumentError(refused.reason, refused.message)


async def _ensure_worker(limiter: CapacityLimiter, limits: ParsingLimits, *, for_texts: bool = False) -> None:
    """Make sure that a worker is running. If cancelled, wait until it has started: nothing else would stop it."""
    prepare = partial(worker.prepare_worker, limits, CORES, for_texts=for_texts)
    starting = asyncio.ensure_future(_start_worker(limiter, prepare, limits.start_seconds))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.gather(starting, return_exceptions=True)
        raise


async def _start_worker(limiter: CapacityLimiter, prepare: Callable[[], None], seconds: float) -> None:
    """Start a worker, or wake an idle one.

    Retry if it ends meanwhile: an idle worker ends after a while, and a new one may be killed by a Ctrl-C meant for its
    parent.
    """
    with anyio.fail_after(seconds):
        try:
            for _ in range(_STARTS - 1):
                with suppress(BrokenWorkerProcess, ProcessLookupError):
                    await to_process.run_sync(prepare, limiter=limiter)
                    return
            await to_process.run_sync(prepare, limiter=limiter)
        except ProcessLookupError:
            raise
        except OSError as error:  # add the name of the program
            raise OSError(error.errno, error.strerror, sys.executable) from error


@asynccontextmanager
async def _spill_large_source(source: bytes | Path) -> AsyncGenerator[bytes | Path]:
    """`source`, or a file with its bytes if it is large: pickling many bytes would block the event loop."""
    if isinstance(source, Path) or len(source) <= _INLINE_BYTES:
        yield source
        return
    with _open_temporary_file() as file:
        with _as_unavailable():
            await to_thread.run_sync(file.write, source)
        yield file.path


@contextmanager
def _open_temporary_file() -> Generator[TemporaryFile]:
    """A new file until the block ends."""
    with _as_unavailable():
        file = TemporaryFile()
    try:
        yield file
    finally:
        # Not in a thread: a task that is cancelled a second time would not wait for it.
        file.close()


def _explain_crash(report: TemporaryFile, limits: ParsingLimits) -> DocumentError:
    """The error for a worker that died, derived from its stack dump. Native code that runs out of memory aborts."""
    lines = report.read_text().splitlines()
    _log.warning("a worker died while reading a document: %s", " ".join(lines[:1] + lines[3:4]) or "it was killed")
    if lines and processor_time.is_page_timeout(lines[0]):
        return refusals.page_timed_out(limits.page_seconds)
    if lines and not lines[0].startswith(_FATAL):
        return refusals.reading_timed_out(limits.seconds)
    return refusals.out_of_memory() if lines[:1] == [_ABORTED] else refusals.worker_crashed()


@contextmanager
def _as_unavailable() -> Generator[None]:
    """Translate failures before a document is read into Unavailable: they are not its fault, so it is retried."""
    try:
        yield
    except (BrokenWorkerProcess, TimeoutError, OSError) as error:
        raise Unavailable(f"No worker can read documents now: {_describe_failure(error)}.", "parsing", 1000) from error


def _describe_failure(error: Exception) -> str:
    """Why no worker can be used; process errors often have no message."""
    match error:
        case TimeoutError():
            return "the process did not start in time"
        case BrokenWorkerProcess() | ProcessLookupError():
            return "the process ended while it was starting"
        case OSError(strerror=str(reason), filename=str(name)):
            return f"{name}: {reason}"
        case _:
            return str(error) or type(error).__name__
