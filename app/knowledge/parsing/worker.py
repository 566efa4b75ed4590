"""The code of parse workers: they read files one by one, each with limits on memory and processor time.

Each worker imports this module when it starts, so it imports little. The server imports it, too, and needs few parsers.
"""

import faulthandler
import importlib
import os
import pkgutil
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from types import FrameType, ModuleType
from typing import TypeVar

from app.cores import use_cores
from app.errors import DocumentError
from app.knowledge import chunking
from app.knowledge.parsed_documents import PageArea, ParsedDocument, QuotedText, SplitDocument
from app.knowledge.parsing import dispatch, parsers, refusals
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.parsing.processor_time import limit_document_time, limit_page_time

resource: ModuleType | None
try:
    import resource
except ImportError:  # Windows
    resource = None

Result = TypeVar("Result")
NamedFile = tuple[bytes, str | None, str]
"""The bytes of a file, its name and its media type."""
Work = Callable[[bytes, str | None, str | None, ParsingLimits], Result]

# A worker that reads several files returns what it has after this time.
_SOME_SECONDS = 0.25
_STANDARD_OUTPUT, _STANDARD_ERROR = 1, 2
# Ctrl-C and a closing terminal signal all of its processes; systemd and `timeout` send SIGTERM to all that they run.
_STOPPING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@dataclass(frozen=True, slots=True)
class RefusedDocument:
    """A DocumentError sent between processes; `detail` names the type and place of its cause."""

    reason: str
    message: str
    detail: str


def split_some(sources: Sequence[NamedFile], limits: ParsingLimits) -> list[SplitDocument | RefusedDocument]:
    """Run `split_in_turn` with limited memory, in a worker."""
    with (
        _keep_alive(limits.idle_seconds),
        _limited_memory(limits.memory_bytes),
    ):  # once for all: setting it takes as long as splitting a small file
        return split_in_turn(sources, limits)


def split_in_turn(sources: Sequence[NamedFile], limits: ParsingLimits) -> list[SplitDocument | RefusedDocument]:
    """Parse and split the first few files. Stops after a while, so that results do not wait for a slow file."""
    start = time.monotonic()
    results: list[SplitDocument | RefusedDocument] = []
    for data, name, media_type in sources:
        results.append(_run_or_refuse(split, data, name, media_type, limits))
        if time.monotonic() - start > _SOME_SECONDS:
            break
    return results


def parse(data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits) -> ParsedDocument:
    """Parse a file. Raises DocumentError."""
    page_time_limit = partial(limit_page_time, limits.page_seconds)
    return dispatch.parse_file(data, name=name, media_type=media_type, limits=limits, page_time_limit=page_time_limit)


def split(data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits) -> SplitDocument:
    """Parse and split a file. Raises DocumentError."""
    parsed = parse(data, name, media_type, limits)
    chunks = tuple(islice(chunking.split_document(parsed), limits.chunks + 1))
    if len(chunks) > limits.chunks:
        raise refusals.too_many("pieces to search", limits.chunks)
    return SplitDocument(parsed.title, parsed.media_type, chunks)


def find_quotes(
    quotes: Sequence[QuotedText], data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits
) -> list[tuple[PageArea, ...]]:
    """Find the areas of each quote on the pages of a PDF. Raises DocumentError."""
    from app.knowledge.parsing.parsers import pdf_places

    return pdf_places.find_quotes(data, quotes, limits, partial(limit_page_time, limits.page_seconds))


def draw_page(
    number: int, width: int, data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits
) -> bytes | None:
    """Draw a page of a PDF as a PNG; None if there is no such page. Raises DocumentError."""
    from app.knowledge.parsing import pdf_pictures

    return pdf_pictures.draw_page(data, number, width, partial(limit_page_time, limits.page_seconds))


def prepare_worker(limits: ParsingLimits, cores: Collection[int], *, for_texts: bool = False) -> None:
    """Prepare a worker before each use, so that starting does not count toward a document's time.

    The server may be pinned to one core; a worker must not be. Parsers are loaded here, because the memory limit is for
    the files alone. For texts, few are needed, which saves most of the loading time.

    Signals that stop the server may reach this process, too. They are ignored, because a document whose worker ends
    would look damaged; the server kills its workers when it ends. Native code's messages to standard error are
    discarded: nobody reads that pipe, so once it is full, the next message would block the worker.
    """
    with _keep_alive(limits.idle_seconds):
        use_cores(cores)
        for number in _STOPPING:
            signal.signal(number, signal.SIG_IGN)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STANDARD_ERROR)
        os.close(nowhere)
        if for_texts:
            dispatch.parse_file(b"The first one loads what reads texts.")
        else:
            _load_parsers()


@cache
def _load_parsers() -> None:
    for module in pkgutil.walk_packages(parsers.__path__, f"{parsers.__name__}."):
        importlib.import_module(module.name)


@contextmanager
def _keep_alive(idle_seconds: float) -> Generator[None]:
    """Keep this process alive during the block; afterwards, it ends unless it is used again within `idle_seconds`.

    The worker uses its own timer, because the pool checks for idle workers only when the next file arrives.
    """
    if sys.platform == "win32":  # where workers end with the server
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, _end_if_idle)
        signal.setitimer(signal.ITIMER_REAL, idle_seconds, idle_seconds)


def _end_if_idle(_signal: int, _frame: FrameType | None) -> None:
    """End this process, unless it is still sending a result to a server that is too busy to read it."""
    if select.select([], [_STANDARD_OUTPUT], [], 0)[1]:
        os._exit(0)


def run_work(
    work: Work[Result],
    report: Path,
    source: bytes | Path,
    name: str | None,
    media_type: str | None,
    limits: ParsingLimits,
) -> Result | RefusedDocument:
    """Run `work` in a worker. Errors of documents are returned, because many exceptions cannot be pickled."""
    data = source if isinstance(source, bytes) else source.read_bytes()  # an OSError here is not the document's fault
    with report.open("r+b", buffering=0) as opened:
        faulthandler.enable(opened, all_threads=False)
        try:
            with (
                _keep_alive(limits.idle_seconds),
                _limited_memory(limits.memory_bytes),
                limit_document_time(limits.seconds, opened),
            ):
                return _run_or_refuse(work, data, name, media_type, limits)
        finally:
            faulthandler.disable()


def _run_or_refuse(
    work: Work[Result], data: bytes, name: str | None, media_type: str | None, limits: ParsingLimits
) -> Result | RefusedDocument:
    try:
        return work(data, name, media_type, limits)
    except DocumentError as error:
        return RefusedDocument(error.reason, error.message, _describe_place(error.__cause__))
    except MemoryError:
        return _refuse(refusals.out_of_memory())
    except Exception as error:  # the process boundary: a hostile file can make a library raise anything
        return _refuse(refusals.damaged_file(), _describe_place(error))


@contextmanager
def _limited_memory(more: int) -> Generator[None]:
    """Limit this process to `more` bytes of address space than it uses now."""
    _limit_memory(more)
    try:
        yield
    finally:
        _limit_memory(None)


def _limit_memory(more: int | None) -> None:
    """Set the limit of `_limited_memory`; None removes it."""
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


def _refuse(error: DocumentError, detail: str = "") -> RefusedDocument:
    return RefusedDocument(error.reason, error.message, detail)


def _describe_place(error: BaseException | None) -> str:
    """The type and place of `error`, without its message, which may quote the document."""
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"
