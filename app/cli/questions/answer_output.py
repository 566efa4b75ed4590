"""Print an answer while it is given, and its sources when it is complete."""

import sys
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from app.chat.answer_log.log_entries import LogEntry
from app.cli.printing import print_notice
from app.cli.running import Exit, complain, err, out
from app.database import models
from app.rag import events
from app.rag.citations.values import CheckedCitation
from app.rag.context import budget
from app.services.authorization.chats import ChatAccess

_NO_ANSWER = frozenset({"NO_SOURCES", "REJECTED", "INSUFFICIENT"})
# A model may write what a terminal obeys; all but tabs and line ends is left out there.
_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


@dataclass
class GivenAnswer:
    """What has come of an answer so far."""

    content: str = ""
    search_query: str | None = None
    ledger: budget.BudgetLedger | None = None
    notices: list[events.AnswerNotice] = field(default_factory=list[events.AnswerNotice])
    completed: events.CompletedEvent | None = None
    failed: events.FailedEvent | None = None

    def add(self, entry: LogEntry) -> None:
        """Take in what happened."""
        self.content = entry.content
        match entry.event:
            case events.QueryReformulatedEvent():
                self.search_query = entry.event.search_query
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
    def exit(self) -> Exit:
        """The exit code of a command that asks for this answer."""
        if self.completed is None:
            return Exit.FAILED
        return Exit.NO_ANSWER if self.completed.outcome in _NO_ANSWER else Exit.OK

    def as_json(self) -> dict[str, Any]:
        """All of it, for programs."""
        done = self.completed
        return {
            "content": self.content,
            "outcome": done.outcome if done else None,
            "failure": {"code": self.failed.code, "message": self.failed.message} if self.failed else None,
            "searchQuery": self.search_query,
            "citations": [_citation(citation) for citation in (done.citations if done else ())],
            "notices": [{"code": notice.code, "message": notice.message} for notice in self.notices],
            "usage": {
                "model": done.usage.model,
                "inputTokens": done.usage.input_tokens,
                "outputTokens": done.usage.output_tokens,
            }
            if done
            else None,
        }


async def follow_answer(chats: ChatAccess, message: models.Message, *, show: bool) -> GivenAnswer:
    """Wait for an answer; `show` prints it as it comes, and its sources at the end."""
    given = GivenAnswer()
    async with aclosing(chats.follow(message, 0, _signed_in)) as entries:
        async for entry in entries:
            given.add(entry)
            if show:
                _show(entry.event)
    return given


async def _signed_in() -> None:
    """Commands have no credential that could expire."""


def _show(event: events.LoggedEvent) -> None:
    match event:
        case events.DeltaEvent(text):
            _write(text)
        case events.ReplacedEvent(content):
            _write("\n")
            err.print("The text above is withdrawn:", style="yellow")
            _write(content)
        case events.QueryReformulatedEvent():
            err.print(Text(f"searched with: {event.search_query}", style="dim"))
        case events.NoticeEvent(notice):
            print_notice(notice.code, notice.message)
        case events.FailedEvent(_, message):
            _write("\n")
            complain(message)
        case events.CancelledEvent():
            _write("\n")
        case events.CompletedEvent(citations=cited):
            _write("\n")
            _print_sources(cited)
        case _:
            pass


def _write(text: str) -> None:
    sys.stdout.write(text.translate(_CONTROLS) if sys.stdout.isatty() else text)
    sys.stdout.flush()


def _print_sources(cited: tuple[CheckedCitation, ...]) -> None:
    """Each source with the words that support its first use."""
    for citation in cited:
        page = f", page {citation.page}" if citation.page is not None else ""
        title = citation.document_title or "Unknown source"
        out.print(Text.assemble("\n", (citation.label, "cyan"), " ", (title, "bold"), page))
        quote = " ".join(citation.uses[0].quote.split())
        out.print(Text(f"    “{quote}”", style="dim"))


def _citation(citation: CheckedCitation) -> dict[str, Any]:
    return {
        "label": citation.label,
        "documentTitle": citation.document_title,
        "heading": list(citation.heading),
        "page": citation.page,
        "url": citation.url,
        "quote": citation.uses[0].quote,
        "support": round(citation.uses[0].support, 4),
    }
