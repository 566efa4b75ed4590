"""Judge a finished answer: whether it stands, loses its citations or is replaced, and which notices it gets. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from app.answer_options import Grounding
from app.rag.citations import quotes
from app.rag.citations.answer_text import remove_markers
from app.rag.citations.citation_types import CheckedCitation
from app.rag.events import AnswerNotice
from app.rag.judgement import answerability as answerabilities
from app.rag.judgement.empty_answers import has_no_content
from app.rag.judgement.insufficiency import says_insufficient
from app.statuses import AnswerOutcome, NoticeCode, Route


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of an answer, its remaining citations, and its final text."""

    outcome: AnswerOutcome
    citations: tuple[CheckedCitation, ...]
    content: str


def judge_answer(
    content: str,
    citations: tuple[CheckedCitation, ...],
    route: Route,
    *,
    grounding: Grounding,
    rejected_text: str,
) -> Verdict:
    """Decide whether a finished answer stands, loses its citations, or is replaced by `rejected_text`."""
    if route is Route.PASS_THROUGH:
        return Verdict(AnswerOutcome.PASSED_THROUGH, (), content)
    verdict = judge_outcome(content, citations, grounding)
    match verdict:
        case AnswerOutcome.REJECTED:
            return Verdict(verdict, (), rejected_text)
        case AnswerOutcome.INSUFFICIENT:
            return Verdict(verdict, (), remove_markers(content, citations))
        case _:
            return Verdict(verdict, citations, content)


def judge_outcome(content: str, citations: Sequence[CheckedCitation], grounding: Grounding) -> AnswerOutcome:
    """The outcome of a finished answer. With OPEN grounding every answer stands."""
    if grounding == "GROUNDED":
        # Checked first: models like to cite the passages in which they found nothing.
        words = remove_markers(content, citations)
        if says_insufficient(words):
            return AnswerOutcome.INSUFFICIENT
        if not citations or has_no_content(words, [citation.document_title or "" for citation in citations]):
            return AnswerOutcome.REJECTED
        return AnswerOutcome.CITED
    return AnswerOutcome.CITED if citations else AnswerOutcome.UNCITED


def support_notices(citations: Iterable[CheckedCitation], answerability: float | None) -> Iterator[AnswerNotice]:
    """One notice per citation with a weakly supported use, and one if the passages do not seem to hold the answer.

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
        message = "The sources do not seem to contain the answer to this question; check the answer against them."
        yield AnswerNotice(NoticeCode.INSUFFICIENT_SOURCES, message)
