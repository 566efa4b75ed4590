"""The columns of a message, collected from the events of its answer."""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from statistics import fmean
from typing import Any, cast

from pydantic import TypeAdapter

from app.database import models
from app.rag import events
from app.rag.citations.citation_types import CheckedCitation, CitationUse
from app.rag.context.ledger import BudgetLedger
from app.rag.growing_text import GrowingText
from app.rag.usage_meter import UsageMeter
from app.statuses import MessageStatus

# A ledger lists every passage found, and a citation its uses; `asdict` takes many times as long.
_LEDGER, _CITATION = TypeAdapter(BudgetLedger), TypeAdapter(CheckedCitation)


class Draft:
    """An unfinished answer without its text, which is in its log."""

    def __init__(self) -> None:
        self.completed: events.CompletedEvent | None = None
        self.meter = UsageMeter()
        self.counting: asyncio.Task[None] | None = None
        """The task that counts its tokens."""
        self._reasoning = GrowingText()
        self._pieces = 0
        self._citations: list[Any] = []
        self._notices: list[Any] = []
        self._budget: dict[str, Any] | None = None
        self._search_query: str | None = None
        self._similarity: float | None = None

    def add_event(self, event: events.LoggedEvent) -> None:
        """Apply an event."""
        match event:
            case events.DeltaEvent(_, uses):
                self._pieces += 1
                self._add_citation_uses(uses)
            case events.ReplacedEvent():
                self._citations = []
            case events.ReasoningEvent(text):
                self._reasoning.append(text)
                self._pieces += 1
            case events.CitationAddedEvent(citation):
                self._citations.append(_citation_row(citation))
            case events.NoticeEvent(notice):
                self._notices.append(asdict(notice))
            case events.BudgetNegotiatedEvent(ledger):
                self._budget = _LEDGER.dump_python(ledger, mode="json")
            case events.QueryReformulatedEvent() | events.RetrievalCompletedEvent():
                self._search_query = event.search_query
                self._similarity = _mean_cosine(event)
            case events.CompletedEvent():
                self.completed = event
            case events.CancelledEvent() | events.FailedEvent():
                pass

    @property
    def spent_tokens(self) -> int:
        """Tokens of an answer that ended early: those of its meter and of the prompt, and one for each piece."""
        read = int(self._budget["input_tokens"]) if self._budget is not None else 0
        return self.meter.tokens + read + self._pieces

    def _add_citation_uses(self, uses: Iterable[tuple[int, CitationUse]]) -> None:
        for index, use in uses:
            self._citations[index - 1]["uses"].append(asdict(use))

    def final_values(self, content: str, status: MessageStatus, last: events.LoggedEvent) -> dict[str, Any]:
        """The final columns of the message, all at once: an answer does not change after its `last` event."""
        done = self.completed
        if self._budget is not None and done is not None:
            self._budget["reported_input_tokens"] = done.reported_input_tokens
        return {
            "status": status,
            "content": content,
            "outcome": done.outcome if done else None,
            "finish_reason": done.finish_reason if done else None,
            "citations": [_citation_row(citation) for citation in done.citations] if done else self._citations,
            "confidence": done.confidence if done else None,
            "similarity": self._similarity,
            "usage": asdict(done.usage) if done else None,
            "failure": asdict(last) if isinstance(last, events.FailedEvent) else None,
            "reasoning": self._reasoning.value or None,
            "notices": self._notices,
            "budget": self._budget,
            "search_query": self._search_query,
            "completed_at": models.now(),
        }


def _mean_cosine(event: events.QueryReformulatedEvent | events.RetrievalCompletedEvent) -> float | None:
    """The mean cosine of the passages; None if none was found, or none compared by meaning."""
    passages = event.passages if isinstance(event, events.RetrievalCompletedEvent) else ()
    cosines = [passage.vector_score for passage in passages if passage.vector_score is not None]
    return fmean(cosines) if cosines else None


def _citation_row(citation: CheckedCitation) -> dict[str, Any]:
    return cast("dict[str, Any]", _CITATION.dump_python(citation, mode="json"))
