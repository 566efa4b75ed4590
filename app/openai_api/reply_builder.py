"""Build the chunks of an answer from documents, or its whole completion, from the events of the pipeline."""

import logging
from collections.abc import Sequence

from app.openai_api import sources
from app.providers import base, completions
from app.rag import events
from app.rag.context.ledger import BudgetLedger
from app.statuses import NoticeCode, TokenCounting

log = logging.getLogger(__name__)

_SEARCH_NOTICES = frozenset(
    {
        NoticeCode.DOCUMENTS_PENDING,
        NoticeCode.EMBEDDER_UNAVAILABLE,
        NoticeCode.NO_MATCHING_DOCUMENTS,
        NoticeCode.RERANKER_UNAVAILABLE,
        NoticeCode.RETRIEVAL_FAILED,
    }
)


class ReplyBuilder:
    """Turns pipeline events into chunks; the last one carries the sources, citations and notices."""

    def __init__(self, answer: completions.CompletionBuilder, *, with_budget: bool) -> None:
        """`with_budget`: the client asked for the ledger."""
        self.nodes: Sequence[base.JsonObject] = ()
        self.counting: TokenCounting | None = None
        self.ledger: BudgetLedger | None = None
        self._with_budget = with_budget
        self._answer = answer
        self._notices: list[base.JsonObject] = []
        self._logged = set[NoticeCode]()

    def search_notices(self) -> list[base.JsonObject]:
        """Notices about the search. They also apply to an answer without passages: they may be why it has none."""
        return [notice for notice in self._notices if notice["code"] in _SEARCH_NOTICES]

    def to_chunks(self, step: events.ProgressEvent | events.CompletedEvent) -> list[base.JsonObject]:
        """The chunks for one step."""
        match step:
            case events.RefusalEvent():
                return self._answer.add_refusal(step.text)
            case events.DeltaEvent():
                return self._answer.add_text(step.text)
            case events.ReasoningEvent():
                return self._answer.add_reasoning(step.text)
            case events.NoticeEvent():
                if step.notice.code not in self._logged:  # a model can invent a thousand citations
                    self._logged.add(step.notice.code)
                    log.warning("%s: %s", step.notice.code, step.notice.message)
                self._notices.append({"code": step.notice.code, "message": step.notice.message})
                return []
            case events.CompletedEvent():
                ledger = self.ledger if self._with_budget else None
                extra = sources.response_fields(
                    self.nodes, sources.citation_fields(step.citations), self._notices, ledger
                )
                reason = step.finish_reason
                return self._answer.finish(reason, step.usage.input_tokens, step.usage.output_tokens, extra)
            case _:
                return []
