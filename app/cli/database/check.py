"""`footnote check`: find inconsistencies in the database, and repair them with `--repair`."""

import asyncio

from app import errors, services
from app.cli.documents.batch import split_by_project
from app.cli.documents.documents import display_name
from app.cli.interrupts import CommandInterrupted
from app.cli.opening import open_footnote
from app.cli.printing import format_count
from app.cli.progress import progress_bar
from app.cli.running import ExitCode, err, out
from app.knowledge.integrity import IntegrityReport

_RETRY_MS = 1000


async def check(*, repair: bool) -> ExitCode:
    """Check everything and report problems. With `repair`, repair what can be repaired, and check again."""
    async with open_footnote("ingest" if repair else "ask") as running:
        try:
            wrong = await _find_problems(running, repair=repair)
            if wrong and repair:
                out.print("Checking again.")
                wrong = await _find_problems(running, repair=False)
        except asyncio.CancelledError:
            kept = "what was repaired is kept; run it again for the rest." if repair else "nothing was changed."
            raise CommandInterrupted(kept) from None
    if not wrong:
        out.print("Rows, full text, vectors, originals, answer logs and chat branches agree.")
        return ExitCode.OK
    if not repair:
        out.print("`footnote check --repair` repairs what can be repaired; make a backup first.")
    return ExitCode.FAILED


async def _find_problems(running: services.Services, *, repair: bool) -> bool:
    with err.status("checking the file"):
        damage = await running.operator().find_damage()
    with err.status("comparing chunks, full text, vectors and originals"):
        found = await running.operator().knowledge_check.check()
    with err.status("comparing answers with their logs"):
        logs = await running.operator().log_check.find_broken_logs()
    with err.status("checking the branches of chats"):
        broken = await running.operator().branch_check.find_broken_sessions()
    with err.status("comparing messages with their full text"):
        lost = await running.operator().message_check.find_lost_messages()
    for message in damage:
        out.print(f"  {message} Restore a backup.")
    for finding in found.findings:
        out.print(f"  {finding.message}")
    if logs:
        out.print(f"  The logs of {len(logs):,} answers do not match the answers.")
    if broken:
        out.print(f"  {len(broken):,} chat sessions do not show their current messages.")
    if lost:
        out.print(f"  {len(lost):,} messages cannot be found by their words.")
    if repair:
        await _reindex_documents(running, found)
        await running.operator().log_check.rewrite_logs(logs)
        await running.operator().branch_check.repair_sessions(broken)
        await running.operator().message_check.repair_messages(lost)
    return bool(damage or found.findings or logs or broken or lost)


async def _reindex_documents(running: services.Services, found: IntegrityReport) -> None:
    """Raises Unavailable if the repair could not be finished."""
    operator = running.operator()
    if not await operator.knowledge_check.repair(found):
        return
    rows = await operator.documents.by_ids(sorted(found.documents_to_reindex))
    for batch, documents in await split_by_project(running, [row for row in rows if row is not None]):
        batch.waiting = {document.id: display_name(document) for document in documents}
        with progress_bar(len(documents), "ingesting again") as bar, batch.subscribe() as changes:
            await batch.wait_for_all(changes, bar, len(documents))
        if batch.waiting:
            count = format_count(len(batch.waiting), "document")
            raise errors.Unavailable(
                f"{batch.project.name} has {count} waiting for the embedding model: {batch.reason} "
                "`footnote serve` continues with them; then check again.",
                "model",
                _RETRY_MS,
            )
