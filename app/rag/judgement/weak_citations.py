"""Notices about citations whose source hardly supports the text that cites it. Pure."""

from collections.abc import Iterable, Iterator

from app.rag.citations import quotes
from app.rag.citations.citation_types import CheckedCitation
from app.rag.events import AnswerNotice
from app.statuses import NoticeCode


def weak_citation_notices(citations: Iterable[CheckedCitation]) -> Iterator[AnswerNotice]:
    """One notice per citation with a weakly supported use."""
    for citation in citations:
        weak = sum(use.support < quotes.WEAK_SUPPORT for use in citation.uses)
        if weak:
            places = "" if len(citation.uses) == 1 else f" in {weak} of {len(citation.uses)} places"
            message = f"The source of {citation.label} hardly supports the text that cites it{places}."
            yield AnswerNotice(NoticeCode.WEAK_CITATION, message)
