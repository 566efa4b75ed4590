"""`footnote preview`: a question in; what an answer to it would be made of out. No model answers, nothing is kept."""

from rich.text import Text

from app.answer_options import Grounding
from app.cli.opening import opened, project_named
from app.cli.questions import budget_bar
from app.cli.running import Exit, err, out
from app.rag import pipeline
from app.rag.context import budget

_IN = frozenset({"INCLUDED", "SHORTENED"})


async def preview(
    question: str, name: str, model: str | None, *, grounding: Grounding | None, reformulate: bool, messages: bool
) -> Exit:
    """Show route, search query, budget and passages of the first turn of a session; and its messages, if asked for."""
    async with opened() as running:
        project = await project_named(running, name)
        settings = {"model": model, "grounding": grounding}
        seen = await running.previews.of_project(
            project.id, question, user_id=running.owner.id, settings=settings, reformulate=reformulate
        )
    for notice in seen.notices:
        err.print(f"[{notice.code}] {notice.message}", style="yellow", markup=False)
    out.print(Text.assemble((seen.route, "bold"), f"  {seen.reason}"))
    if seen.search_query is not None and seen.search_query != question:
        out.print(Text.assemble("searched with: ", (seen.search_query, "cyan")))
    if seen.messages:
        out.print(budget_bar.drawn(seen.budget, out.width))
    for candidate in seen.budget.candidates:
        out.print(_line(candidate))
    if messages:
        _messages(seen)
    return Exit.OK if seen.messages else Exit.NO_ANSWER


def _line(candidate: budget.PassageDecision) -> Text:
    decision = candidate.decision.lower().replace("_", " ")
    style = "green" if candidate.decision in _IN else "dim"
    return Text.assemble(
        (f"{candidate.score:.2f}", "cyan"),
        f"  {candidate.tokens:5,} tokens  ",
        (f"{decision:<15}", style),
        f"  {candidate.document_title or 'Unknown source'}",
    )


def _messages(seen: pipeline.Preview) -> None:
    for message, tokens in seen.messages:
        out.print(Text.assemble("\n", (message.role, "bold"), f", {tokens:,} tokens"))
        out.print(Text(message.content))
