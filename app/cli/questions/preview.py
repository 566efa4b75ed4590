"""`footnote preview`: show what an answer would be made of. No model answers, and nothing is stored."""

from typing import Any

from rich.text import Text

from app.answer_options import Grounding
from app.cli.lookup import find_project, find_session
from app.cli.opening import open_footnote
from app.cli.printing import print_json, print_notice
from app.cli.questions import budget_bar
from app.cli.running import Exit, out
from app.rag import pipeline
from app.rag.context import budget

_IN = frozenset({"INCLUDED", "SHORTENED"})


async def preview(
    question: str,
    name: str | None,
    session_id: str | None,
    model: str | None,
    *,
    grounding: Grounding | None,
    reformulate: bool,
    messages: bool,
    as_json: bool,
) -> Exit:
    """Show route, search query, budget and passages of the next turn of a session, or of a new one's first.

    `messages` shows what the model would be sent, too.
    """
    async with open_footnote() as footnote:
        chats = footnote.operator().chats
        settings = {"model": model, "grounding": grounding}
        if session_id is None:
            project = await find_project(footnote, name or "")
            seen = await chats.preview_new_session(project.id, question, settings=settings, reformulate=reformulate)
        else:
            session = await find_session(footnote, session_id)
            seen = await chats.preview(session.id, question, overrides=settings, reformulate=reformulate)
    if as_json:
        print_json(_as_json(seen, messages=messages))
    else:
        _print(seen, question, messages=messages)
    return Exit.OK if seen.messages else Exit.NO_ANSWER


def _print(seen: pipeline.Preview, question: str, *, messages: bool) -> None:
    for notice in seen.notices:
        print_notice(notice.code, notice.message)
    out.print(Text.assemble((seen.route, "bold"), f"  {seen.reason}"))
    if seen.search_query is not None and seen.search_query != question:
        out.print(Text.assemble("searched with: ", (seen.search_query, "cyan")))
    if seen.messages:
        out.print(budget_bar.drawn(seen.budget, out.width))
    for candidate in seen.budget.candidates:
        out.print(_line(candidate))
    if messages:
        _messages(seen)


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


def _as_json(seen: pipeline.Preview, *, messages: bool) -> dict[str, Any]:
    ledger = seen.budget
    found: dict[str, Any] = {
        "route": seen.route,
        "routeReason": seen.reason,
        "searchQuery": seen.search_query,
        "budget": {
            "contextWindow": ledger.context_window,
            "inputTokens": ledger.input_tokens,
            "adjustedMaxTokens": ledger.adjusted_max_tokens,
            "counting": ledger.counting,
            "segments": [
                {
                    "kind": segment.kind,
                    "tokens": segment.tokens,
                    "itemsKept": segment.items_kept,
                    "itemsDropped": segment.items_dropped,
                }
                for segment in ledger.segments
            ],
            "candidates": [
                {
                    "documentTitle": candidate.document_title,
                    "score": round(candidate.score, 4),
                    "tokens": candidate.tokens,
                    "decision": candidate.decision,
                }
                for candidate in ledger.candidates
            ],
        },
        "notices": [{"code": notice.code, "message": notice.message} for notice in seen.notices],
        "estimatedCostUsd": seen.cost_usd,
    }
    if messages:
        found["messages"] = [
            {"role": message.role, "content": message.content, "tokens": tokens} for message, tokens in seen.messages
        ]
    return found
