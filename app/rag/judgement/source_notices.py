"""Notices about the sources that went to the model and the citations that came back. Pure."""

from collections.abc import Iterable, Iterator

from app import language
from app.rag.citations import quotes
from app.rag.citations.citation_types import CheckedCitation, CitableSource
from app.rag.events import AnswerNotice
from app.rag.judgement import injection


def instruction_notices(sources: Iterable[CitableSource]) -> list[AnswerNotice]:
    """One notice per document with a passage that tries to instruct the model; the notice quotes none of its text.

    Takes a third of a millisecond per passage.
    """
    found: list[AnswerNotice] = []
    reported: set[str] = set()
    for source in sources:
        shown = "\n".join((source.document_title or "", *source.heading, source.text))
        if source.document_id not in reported and injection.contains_instructions(shown):
            reported.add(source.document_id)
            place = language.page_suffix(source.page, " ({})")
            name = " ".join((source.document_title or "Unknown source").split())
            message = (
                f'"{name}"{place} contains text that reads like instructions to the model; it was sent as a quotation.'
            )
            found.append(AnswerNotice("INSTRUCTIONS_IN_SOURCE", message))
    return found


def weak_citation_notices(citations: Iterable[CheckedCitation]) -> Iterator[AnswerNotice]:
    """One notice per citation with a weakly supported use."""
    for citation in citations:
        weak = sum(use.support < quotes.WEAK_SUPPORT for use in citation.uses)
        if weak:
            places = "" if len(citation.uses) == 1 else f" in {weak} of {len(citation.uses)} places"
            yield AnswerNotice(
                "WEAK_CITATION", f"The source of {citation.label} hardly supports the text that cites it{places}."
            )
