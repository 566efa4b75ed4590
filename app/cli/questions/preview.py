"""`footnote preview`: show what an answer would be based on. No answer is generated, and nothing is stored."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from app.answer_options import OptionLayer
from app.cli.lookup import find_project, find_session
from app.cli.opening import open_footnote
from app.cli.printing import print_json, print_notice
from app.cli.questions import budget_bar
from app.cli.running import ExitCode, out
from app.database import models
from app.knowledge import parsed_documents
from app.rag import pipeline
from app.rag.context.ledger import PassageDecision
from app.statuses import IN_THE_PROMPT

# Of each candidate; None for one that was deleted meanwhile.
_Chunks = Sequence[models.Chunk | None]


async def preview(
    question: str,
    name: str | None,
    session_id: str | None,
    options: OptionLayer,
    *,
    reformulate: bool,
    messages: bool,
    as_json: bool,
) -> ExitCode:
    """Show route, search query, budget and passages of the next turn of a session, or of the first of a new one.

    `messages` also shows the messages of the prompt.
    """
    async with open_footnote() as footnote:
        chats = footnote.operator().chats
        if session_id is None:
            project = await find_project(footnote, name)
            seen = await chats.preview_new_session(project.id, question, settings=options, reformulate=reformulate)
        else:
            session = await find_session(footnote, session_id)
            seen = await chats.preview(session.id, question, overrides=options, reformulate=reformulate)
        ids = [candidate.chunk_id for candidate in seen.budget.candidates]
        chunks = await footnote.operator().documents.chunks_by_ids(ids)
    if as_json:
        print_json(_as_json(seen, chunks, messages=messages))
    else:
        _print_preview(seen, chunks, question, messages=messages)
    return ExitCode.OK if seen.messages else ExitCode.NO_ANSWER


def _print_preview(seen: pipeline.Preview, chunks: _Chunks, question: str, *, messages: bool) -> None:
    for notice in seen.notices:
        print_notice(notice.code, notice.message)
    out.print(Text.assemble((seen.route, "bold"), f"  {seen.reason}"))
    if seen.search_query is not None and seen.search_query != question:
        out.print(Text.assemble("searched with: ", (seen.search_query, "cyan")))
    if seen.messages:
        out.print(budget_bar.draw_bar(seen.budget, out.width))
    for candidate, chunk in zip(seen.budget.candidates, chunks, strict=True):
        out.print(_candidate_line(candidate, chunk))
    if messages:
        _print_messages(seen)


def _candidate_line(candidate: PassageDecision, chunk: models.Chunk | None) -> Text:
    place = candidate.document_title or "Unknown source"
    if chunk is not None:
        place = parsed_documents.name_place(place, chunk.heading) + parsed_documents.page_suffix(chunk.page)
    decision = candidate.decision.lower().replace("_", " ")
    style = "green" if candidate.decision in IN_THE_PROMPT else "dim"
    return Text.assemble(
        (f"{candidate.score:.2f}", "cyan"),
        f"  {candidate.tokens:5,} tokens  ",
        (f"{decision:<15}", style),
        f"  {place}",
    )


def _print_messages(seen: pipeline.Preview) -> None:
    for message, tokens in seen.messages:
        out.print(Text.assemble("\n", (message.role, "bold"), f", {tokens:,} tokens"))
        out.print(Text(message.content))


def _as_json(seen: pipeline.Preview, chunks: _Chunks, *, messages: bool) -> dict[str, Any]:
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
                    "heading": list(chunk.heading) if chunk else [],
                    "page": chunk.page if chunk else None,
                    "score": round(candidate.score, 4),
                    "tokens": candidate.tokens,
                    "decision": candidate.decision,
                }
                for candidate, chunk in zip(ledger.candidates, chunks, strict=True)
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
