"""`footnote documents`: list, delete and retry documents."""

import asyncio
from collections.abc import Sequence
from typing import Any

from app import errors, global_ids, services
from app.answer_options.document_filter import DocumentFilter
from app.cli.documents.batch import Batch, split_by_project
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import all_documents, all_projects, find_documents, find_project, split_ids
from app.cli.opening import open_footnote
from app.cli.printing import format_count, format_minute, print_json, print_table, shorten_line
from app.cli.progress import progress_bar
from app.cli.prompts import confirm
from app.cli.running import ExitCode, out
from app.database import models
from app.statuses import DocumentStatus

# Maximum characters of a title or source that are shown, and documents that are named.
_WIDTH = 40
_NAMED = 10


async def list_documents(name: str | None, statuses: Sequence[str], *, as_json: bool) -> ExitCode:
    """List the documents of one project or of all, oldest first, and why they failed."""
    which = DocumentFilter(status=frozenset(DocumentStatus(status.upper()) for status in statuses) or None)
    async with open_footnote() as footnote:
        projects = [await find_project(footnote, name)] if name else [each async for each in all_projects(footnote)]
        found = [(project, row) for project in projects async for row in all_documents(footnote, project, which)]
        chunks = await _count_chunks(footnote, [document.id for _, document in found])
    if as_json:
        print_json([_as_json(project, row, count) for (project, row), count in zip(found, chunks, strict=True)])
    elif not found:
        out.print("There are no such documents." if statuses else "There are no documents.")
    else:
        heads = ("project", "title", "source", "status", "chunks", "changed (UTC)", "id")
        rows = [_table_row(project, row, count) for (project, row), count in zip(found, chunks, strict=True)]
        print_table(heads, [("", *row[1:]) for row in rows] if name else rows)
        for _, document in found:
            if document.status == DocumentStatus.FAILED:
                out.print(f"{display_name(document)}: {document.failure_message} ({document.failure_code})")
    return ExitCode.OK


async def _count_chunks(footnote: services.Services, ids: Sequence[str]) -> list[int]:
    documents = footnote.operator().documents
    return [count for some in split_ids(ids) for count in await documents.count_chunks(some)]


async def delete_documents(names: Sequence[str], project: str | None, *, yes: bool) -> ExitCode:
    """Delete documents permanently, after confirmation. If any of them is not found, none are deleted."""
    async with open_footnote() as footnote:
        found = await find_documents(footnote, names, project)
        if not yes:
            shown = ", ".join(display_name(document) for document in found[:_NAMED])
            more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
            confirm(f"Delete {format_count(len(found), 'document')} permanently: {shown}{more}?")
        for document in found:
            await footnote.operator().documents.delete_document(document.id)
            out.print(f"{display_name(document)}: deleted")
    return ExitCode.OK


async def retry_documents(names: Sequence[str], project: str | None) -> ExitCode:
    """Ingest failed documents again, and wait for them. Without names, retry all that have failed."""
    async with open_footnote("ingest") as footnote:
        found = await find_documents(footnote, names, project) if names else await _find_failed(footnote, project)
        ready = [display_name(document) for document in found if document.status != DocumentStatus.FAILED]
        if ready:
            raise errors.Conflict(f"Only failed documents can be retried; these have not failed: {', '.join(ready)}.")
        if not found:
            out.print("No document has failed.")
            return ExitCode.OK
        batches = await _queue_again(footnote, found)
        for batch in batches:
            await batch.measure_project()
    failures = [failure for batch in batches for failure in batch.failures]
    waiting = [name for batch in batches for name in batch.waiting.values()]
    out.print(
        f"{format_count(sum(batch.ready for batch in batches), 'document')} ingested, {len(failures)} failed again"
    )
    for name, reason in failures:
        out.print(f"  {name}: {reason}")
    for name in waiting:
        out.print(f"  {name}: still waiting for the embedding model")
    return ExitCode.FAILED if failures or waiting else ExitCode.OK


async def _queue_again(footnote: services.Services, found: Sequence[models.Document]) -> list[Batch]:
    """Queue the documents again, and wait for them, one project after another."""
    documents = footnote.operator().documents
    by_project = await split_by_project(footnote, found)
    batches = [batch for batch, _ in by_project]
    try:
        for batch, own in by_project:
            for document in own:
                await documents.retry_document(document.id)
                batch.waiting[document.id] = display_name(document)
        for batch in batches:
            total = len(batch.waiting)
            with progress_bar(total, "ingesting") as bar, batch.subscribe() as changes:
                await batch.wait_for_all(changes, bar, total)
    except asyncio.CancelledError:
        waiting = sum(len(batch.waiting) for batch in batches)
        raise CommandInterrupted(
            f"{format_count(waiting, 'document')} queued again. `footnote serve` or `footnote ingest` continues."
        ) from None
    return batches


async def _find_failed(footnote: services.Services, name: str | None) -> list[models.Document]:
    projects = [await find_project(footnote, name)] if name else [each async for each in all_projects(footnote)]
    which = DocumentFilter(status=frozenset({DocumentStatus.FAILED}))
    return [row for project in projects async for row in all_documents(footnote, project, which)]


def display_name(document: models.Document) -> str:
    """The title, and the source if it differs."""
    title = shorten_line(document.title, _WIDTH)
    return (
        f"{title} ({shorten_line(document.source, _WIDTH)})" if document.source not in (None, document.title) else title
    )


def _table_row(project: models.Project, document: models.Document, chunks: int) -> tuple[str, ...]:
    return (
        project.name,
        shorten_line(document.title, _WIDTH),
        shorten_line(document.source or "", _WIDTH),
        document.status.lower(),
        f"{chunks:,}",
        format_minute(document.updated_at),
        global_ids.encode("Document", document.id),
    )


def _as_json(project: models.Project, document: models.Document, chunks: int) -> dict[str, Any]:
    failed = document.status == DocumentStatus.FAILED
    return {
        "id": global_ids.encode("Document", document.id),
        "project": {"id": global_ids.encode("Project", project.id), "name": project.name},
        "title": document.title,
        "source": document.source,
        "mediaType": document.media_type,
        "bytes": document.bytes,
        "version": document.version,
        "status": document.status,
        "failure": {"code": document.failure_code, "message": document.failure_message} if failed else None,
        "chunks": chunks,
        "createdAt": document.created_at.isoformat(),
        "updatedAt": document.updated_at.isoformat(),
    }
