"""Notices about answers that their sources hardly support. Pure."""

from collections.abc import Iterable, Iterator

from app.rag.citations import quotes
from app.rag.citations.citation_types import CheckedCitation
from app.rag.events import AnswerNotice
from app.rag.judgement import answerability as answerabilities
from app.statuses import NoticeCode


def support_notices(citations: Iterable[CheckedCitation], answerability: float | None) -> Iterator[AnswerNotice]:
    """One notice per citation with a weakly supported use, and one if the passages seem not to hold the answer.

    An answer without citations claims no support, and gets none.
    """
    citations = list(citations)
    for citation in citations:
        weak = sum(use.support < quotes.WEAK_SUPPORT for use in citation.uses)
        if weak:
            places = "" if len(citation.uses) == 1 else f" in {weak} of {len(citation.uses)} places"
            message = f"The source of {citation.label} hardly supports the text that cites it{places}."
            yield AnswerNotice(NoticeCode.WEAK_CITATION, message)
    if citations and answerability is not None and answerability < answerabilities.REFUSED_BELOW:
        message = "The sources seem not to hold the answer to this question; check what the answer says against them."
        yield AnswerNotice(NoticeCode.INSUFFICIENT_SOURCES, message)
