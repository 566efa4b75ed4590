"""Measure how fast documents become searchable, and how much memory that takes, beside the same work by hand.

By hand: they are parsed, split, embedded and counted one after the other in one thread, and nothing is kept.
"""

import io
import os
import time
from collections.abc import Sequence

from app.knowledge.index import terms
from app.knowledge.parsing import worker
from app.knowledge.parsing.limits import ParsingLimits
from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.providers.embedded.word_vectors import WordVectors
from app.services import Backend
from tests.bench.measured import Row, at_least
from tests.bench.resources import resident, sampled
from tests.bench.texts import documents

_LARGE_BYTES = 100_000
# Chunks per second that are aimed at: twice those of version 0.1, which added 213 on two cores.
_LEAST = 426

File = tuple[str, bytes]


async def measure(footnote: Backend, editions: int = 8) -> list[Row]:
    """Add sets of documents through the library and its workers, which are warm."""
    before = resident(os.getpid())
    await _ingest(footnote, "warm-up", list(documents(1)))
    small = list(documents(editions))
    large = _joined(small)
    return [
        *await _compared(footnote, f"{len(small):,} documents of 6 kB", small, None, before),
        *await _compared(footnote, f"{len(large):,} documents of {_LARGE_BYTES // 1000} kB", large, _LEAST, before),
    ]


def _joined(files: Sequence[File]) -> list[File]:
    """The same texts in larger documents."""
    joined: list[File] = []
    data = b""
    for _, part in files:
        data += part + b"\n\n"
        if len(data) >= _LARGE_BYTES:
            joined.append((f"large-{len(joined)}.md", data))
            data = b""
    return joined


async def _compared(footnote: Backend, name: str, files: Sequence[File], least: float | None, before: int) -> list[Row]:
    """`before`: bytes that this process took before there were workers."""
    by_hand = _by_hand(files)
    with sampled(os.getpid()) as peak:
        speed = await _ingest(footnote, name, files)
    measured = f"{speed:.0f} chunks/s, {speed / by_hand[1]:.0f} documents/s"
    aim = None if least is None else at_least(least, speed, "chunks/s")
    most = peak[0]
    return [
        Row(name, measured, f"by hand {by_hand[0]:.0f} chunks/s", speed / by_hand[0], aim),
        Row(
            "  memory, with workers",
            f"{most / 1e6:.0f} MB",
            f"before any document {before / 1e6:.0f} MB",
            most / before,
        ),
    ]


def _by_hand(files: Sequence[File]) -> tuple[float, float]:
    """Chunks per second, and chunks in a document."""
    vectors, limits, chunks = WordVectors(), ParsingLimits(), 0
    vectors.unit_vectors(["Load the files."])
    began = time.perf_counter()
    for _, data in files:
        found = worker.split(data, None, "text/markdown", limits).chunks
        vectors.unit_vectors([chunk.text for chunk in found])
        for chunk in found:
            terms.count_terms("", chunk.text)
        chunks += len(found)
    return chunks / (time.perf_counter() - began), chunks / len(files)


async def _ingest(footnote: Backend, name: str, files: Sequence[File]) -> float:
    """Chunks per second."""
    project = await footnote.knowledge.projects.create_project(name)
    start = time.perf_counter()
    ids: list[str] = []
    for file, data in files:
        document, _ = await footnote.knowledge.library.add_document(
            project.id, NewDocument("text/markdown", name=file), io.BytesIO(data)
        )
        ids.append(document.id)
    chunks = await _all_ready(footnote, project.id, ids)
    return chunks / (time.perf_counter() - start)


async def _all_ready(footnote: Backend, project_id: str, ids: list[str]) -> int:
    waiting, chunks = set(ids), 0
    with footnote.notifier.subscribe(topics.project_documents(project_id)) as changes:
        while True:
            for document in await footnote.knowledge.library.finished_documents(list(waiting)):
                assert document.status == "READY", document.failure_message
                waiting.discard(document.id)
                chunks += document.chunks_total or 0
            if not waiting:
                return chunks
            await changes.wait()
