"""`footnote ask`: a question in; the streamed answer and its sources out, and on standard error how it came about."""

import sys

from rich.text import Text

from app.answer_options import Grounding
from app.cli.opening import opened, project_named
from app.cli.questions import budget_bar
from app.cli.running import Exit, complain, err, out
from app.rag import events
from app.rag.citations import citation_stream
from app.rag.context import budget

_NO_ANSWER = frozenset({"NO_SOURCES", "REJECTED", "INSUFFICIENT"})


async def ask(question: str, name: str, model: str | None, *, grounding: Grounding | None) -> Exit:
    """Ask in a new chat session of the project."""
    async with opened() as running:
        project = await project_named(running, name)
        settings = {"model": model, "grounding": grounding}
        session = await running.sessions.create(project.id, running.owner.id, settings)
        _, answer = await running.turns.send(session.id, question, user_id=running.owner.id)
        ledger: budget.BudgetLedger | None = None
        async for entry in running.journal.follow(answer.id):
            match entry.event:
                case events.DeltaEvent(text):
                    sys.stdout.write(text)
                    sys.stdout.flush()
                case events.ReplacedEvent(content):
                    sys.stdout.write("\n")
                    err.print("The text above is withdrawn:", style="yellow")
                    sys.stdout.write(content)
                case events.QueryReformulatedEvent():
                    err.print(f"searched with: {entry.event.search_query}", style="dim", markup=False)
                case events.BudgetNegotiatedEvent(negotiated):
                    ledger = negotiated
                case events.NoticeEvent(notice):
                    err.print(f"[{notice.code}] {notice.message}", style="yellow", markup=False)
                case events.FailedEvent(_, message):
                    sys.stdout.write("\n")
                    complain(message)
                    return Exit.FAILED
                case events.CompletedEvent() as done:
                    sys.stdout.write("\n")
                    _sources(done.citations)
                    if ledger is not None:
                        err.print()
                        err.print(budget_bar.drawn(ledger, err.width))
                    return Exit.NO_ANSWER if done.outcome in _NO_ANSWER else Exit.OK
                case _:
                    pass
    return Exit.FAILED


def _sources(cited: tuple[citation_stream.CheckedCitation, ...]) -> None:
    """Each source with the words that support its first use."""
    for citation in cited:
        page = f", page {citation.page}" if citation.page is not None else ""
        title = citation.document_title or "Unknown source"
        out.print(Text.assemble("\n", (citation.label, "cyan"), " ", (title, "bold"), page))
        quote = " ".join(citation.uses[0].quote.split())
        out.print(Text(f"    “{quote}”", style="dim"))
