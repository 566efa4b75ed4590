"""Measure how fast documents become searchable, and how much memory that takes."""

import io
import time

from app.knowledge.uploads import NewDocument
from app.notifier import topics
from app.services import Backend
from tests.bench.measured import Row, peak_memory
from tests.bench.texts import documents


async def measure(footnote: Backend, editions: int = 8) -> list[Row]:
    """Ingest a small and then a large set through the library and its workers."""
    rows: list[Row] = []
    for name, count in (("warm-up, 1 edition", 1), (f"{editions} editions", editions)):
        project = await footnote.knowledge.projects.create_project(name)
        before = peak_memory()
        start = time.perf_counter()
        ids: list[str] = []
        for file, data in documents(count):
            document, _ = await footnote.knowledge.library.add_document(
                project.id, NewDocument("text/markdown", name=file), io.BytesIO(data)
            )
            ids.append(document.id)
        chunks = await _all_ready(footnote, project.id, ids)
        seconds = time.perf_counter() - start
        speed = f"{chunks / seconds:6.0f} chunks/s   {len(ids) / seconds:5.0f} documents/s"
        rows.append((name, f"{speed}   peak memory {before} → {peak_memory()} MB   ({chunks} chunks)"))
    return rows


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
