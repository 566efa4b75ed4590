"""`footnote documents reread`: read documents again if an earlier version of the parsers read them."""

import asyncio

from app import errors
from app.cli.documents.batch import Batch
from app.cli.documents.documents import display_name
from app.cli.interrupts import CommandInterrupted
from app.cli.lookup import all_projects, find_project
from app.cli.opening import open_footnote
from app.cli.printing import format_count
from app.cli.progress import progress_bar
from app.cli.running import ExitCode, out


async def reread_documents(name: str | None) -> ExitCode:
    """Read the outdated documents of a project, or of all, and wait for them."""
    async with open_footnote("ingest") as footnote:
        projects = [await find_project(footnote, name)] if name else [each async for each in all_projects(footnote)]
        batches = [Batch(footnote, project) for project in projects]
        try:
            for batch in batches:
                await _reread_project(batch)
                await batch.measure_project()
        except asyncio.CancelledError:
            raise CommandInterrupted(
                "`footnote serve`, or this command again, continues with the queued documents."
            ) from None
    ready, failures = sum(batch.ready for batch in batches), [each for batch in batches for each in batch.failures]
    waiting = [each for batch in batches for each in batch.waiting.values()]
    out.print(f"{format_count(ready, 'document')} read again" + (f", {len(failures)} failed" if failures else ""))
    for document, reason in failures:
        out.print(f"  {document}: {reason}")
    for document in waiting:
        out.print(f"  {document}: still waiting for the embedding model")
    return ExitCode.FAILED if failures or waiting else ExitCode.OK


async def _reread_project(batch: Batch) -> None:
    """Queue documents and wait until none are left, or the embedding model does not respond."""
    operator = batch.footnote.operator()
    [totals] = await operator.projects.document_totals([batch.project.id])
    with progress_bar(totals.outdated, "reading") as bar, batch.subscribe() as changes:
        while not batch.is_stuck:
            try:
                queued = await operator.documents.reread_documents(batch.project.id)
            except errors.Unavailable:  # a server is adding documents: they come first
                await batch.wait_for_change(changes)
                continue
            if not queued:
                return
            batch.waiting |= {document.id: display_name(document) for document in queued}
            await batch.wait_for_all(changes, bar, totals.outdated)
