"""`footnote check`: find what disagrees in the database, and repair it with `--repair`."""

from app import services
from app.cli.opening import open_footnote
from app.cli.running import Exit, err, out
from app.knowledge.integrity import IntegrityReport


async def check(*, repair: bool) -> Exit:
    """Look at everything, say what is wrong, mend what can be mended, and look again."""
    async with open_footnote("ingest" if repair else "ask") as running:
        wrong = await _look(running, repair=repair)
        if wrong and repair:
            out.print("Looking again.")
            wrong = await _look(running, repair=False)
    if not wrong:
        out.print("Rows, full text, vectors, originals and logs agree.")
        return Exit.OK
    if not repair:
        out.print("`footnote check --repair` mends what can be mended; make a backup first.")
    return Exit.FAILED


async def _look(running: services.Services, *, repair: bool) -> bool:
    with err.status("checking the file"):
        damage = await running.operator().damage()
    with err.status("comparing chunks, full text, vectors and originals"):
        found = await running.operator().knowledge_check.check()
    with err.status("comparing answers with their logs"):
        logs = await running.operator().log_check.check()
    for message in damage:
        out.print(f"  {message} Restore a backup.", markup=False)
    for finding in found.findings:
        out.print(f"  {finding.message}", markup=False)
    if logs:
        out.print(f"  The logs of {len(logs):,} answers do not tell what the answers say.", markup=False)
    if repair:
        await _mend(running, found, logs)
    return bool(damage or found.findings or logs)


async def _mend(running: services.Services, found: IntegrityReport, logs: list[str]) -> None:
    with running.operator().watch_queue() as changes:
        if again := await running.operator().knowledge_check.repair(found):
            with err.status(f"making {again:,} documents anew"):
                waiting = list(found.documents_to_reindex)
                while len(await running.operator().documents.ended(waiting)) < len(waiting):
                    await changes.wait()
    await running.operator().log_check.mend(logs)
