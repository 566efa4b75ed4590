"""Print an answer while it is generated, and its sources when it is complete."""

import sys
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from app import safe_text, services
from app.chat.answer_log.log_entries import LogEntry
from app.cli.patience import yield_with_patience
from app.cli.printing import print_notice
from app.cli.running import CONTROLS, ExitCode, err, out, print_error
from app.database import models
from app.rag import events
from app.rag.citations import answer_text
from app.rag.citations.citation_types import CheckedCitation
from app.rag.context.ledger import BudgetLedger
from app.statuses import REFUSED

# Maximum number of quotes of a source that are shown.
_QUOTES = 5


@dataclass
class AnswerResult:
    """The state of an answer so far."""

    content: str = ""
    search_query: str | None = None
    retrieved: events.RetrievalCompletedEvent | None = None
    ledger: BudgetLedger | None = None
    notices: list[events.AnswerNotice] = field(default_factory=list[events.AnswerNotice])
    completed: events.CompletedEvent | None = None
    failed: events.FailedEvent | None = None

    def add_entry(self, entry: LogEntry) -> None:
        """Update the state with an entry of the log."""
        self.content = entry.content
        match entry.event:
            case events.QueryReformulatedEvent(_, search_query):
                self.search_query = search_query
            case events.RetrievalCompletedEvent(search_query):
                self.search_query, self.retrieved = search_query, entry.event
            case events.BudgetNegotiatedEvent(ledger):
                self.ledger = ledger
            case events.NoticeEvent(notice):
                self.notices.append(notice)
            case events.CompletedEvent():
                self.completed = entry.event
            case events.FailedEvent():
                self.failed = entry.event
            case _:
                pass

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of a command that asks for this answer."""
        if self.completed is None:
            return ExitCode.FAILED
        return ExitCode.NO_ANSWER if self.completed.outcome in REFUSED else ExitCode.OK

    def as_json(self) -> dict[str, Any]:
        """The answer as JSON, for programs."""
        done = self.completed
        return {
            "content": self.content,
            "outcome": done.outcome if done else None,
            "confidence": None if done is None or done.confidence is None else round(done.confidence, 4),
            "failure": {"code": self.failed.code, "message": self.failed.message} if self.failed else None,
            "searchQuery": self.search_query,
            "citations": [_citation_json(citation) for citation in (done.citations if done else ())],
            "notices": [{"code": notice.code, "message": notice.message} for notice in self.notices],
            "usage": {
                "model": done.usage.model,
                "inputTokens": done.usage.input_tokens,
                "outputTokens": done.usage.output_tokens,
            }
            if done
            else None,
        }


async def follow_answer(operator: services.OperatorAccess, message: models.Message, *, show: bool) -> AnswerResult:
    """Wait for an answer. `show` prints it as it arrives, and its sources at the end.

    Raises Unavailable once it could not be written to the database for a minute.
    """
    result = AnswerResult()
    async with aclosing(operator.chats.follow_answer(message, 0, _signed_in)) as entries:
        async for entry in yield_with_patience(operator, entries):
            before = result.content
            result.add_entry(entry)
            if show:
                _print_event(entry.event, before, operator)
    return result


async def _signed_in() -> None:
    """Do nothing: commands have no credential that could expire."""


def _print_event(event: events.LoggedEvent, before: str, operator: services.OperatorAccess) -> None:
    """Print what an event changes of an answer, whose text until now is `before`."""
    match event:
        case events.DeltaEvent(text):
            write_text(text)
        case events.ReplacedEvent(content):
            if before.strip():
                write_text("\n")
                err.print("The text above was withdrawn:", style="yellow")
            write_text(content)
        case events.QueryReformulatedEvent():
            err.print(Text(f"searched with: {event.search_query}", style="dim"))
        case events.NoticeEvent(notice):
            print_notice(notice.code, notice.message)
        case events.FailedEvent(_, message):
            write_text("\n")
            print_error(operator.explain_failure(message))
        case events.CancelledEvent():
            write_text("\n")
        case events.CompletedEvent(citations=cited):
            write_text("\n")
            _print_sources(cited)
        case _:
            pass


def write_text(text: str) -> None:
    """Print text that others wrote, such as models: as it is, but on a terminal without control characters."""
    sys.stdout.write(text.translate(CONTROLS) if sys.stdout.isatty() else text)
    sys.stdout.flush()


def _print_sources(cited: tuple[CheckedCitation, ...]) -> None:
    """Print each source with the words that support the answer."""
    for citation in cited:
        source = answer_text.describe_source(citation, safe_text.to_one_line)
        out.print(Text.assemble("\n", (citation.label, "cyan"), " ", (source, "bold")))
        quotes = answer_text.describe_quotes(citation, lambda quote: " ".join(quote.split()))
        for quote in quotes[:_QUOTES]:
            out.print(Text(f"    {quote}", style="dim"))
        if len(quotes) > _QUOTES:
            out.print(Text(f"    and {len(quotes) - _QUOTES} more", style="dim"))


def _citation_json(citation: CheckedCitation) -> dict[str, Any]:
    return {
        "label": citation.label,
        "documentTitle": citation.document_title,
        "heading": list(citation.heading),
        "page": citation.page,
        "url": citation.url,
        "quote": citation.uses[0].quote,
        "support": round(citation.uses[0].support, 4),
        "placedBy": citation.uses[0].placed_by,
        "uses": [
            {
                "quote": use.quote,
                "page": use.page,
                "row": use.row,
                "support": round(use.support, 4),
                "placedBy": use.placed_by,
            }
            for use in citation.uses
        ],
    }
