"""A checked answer and its citations in; what became of it, and its text in other forms, out. Pure."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from app.rag.citations import Citation
from app.rag.insufficiency import says_insufficient

NO_SOURCES_TEXT = "No relevant information was found in the knowledge base."
REJECTED_TEXT = "The answer could not be supported by the knowledge base."

Grounding = Literal["GROUNDED", "OPEN"]


class Outcome(StrEnum):
    """What became of an answer whose sources were in the context."""

    CITED = "CITED"
    UNCITED = "UNCITED"
    REJECTED = "REJECTED"
    INSUFFICIENT = "INSUFFICIENT"


def judge(content: str, citations: Sequence[Citation], grounding: Grounding) -> Outcome:
    """The outcome of a finished answer.

    REJECTED is to be replaced by a fallback text, INSUFFICIENT by `without_markers`; OPEN answers stay as they are.
    """
    if grounding == "GROUNDED":
        # First, as models like to cite the passages in which they found nothing.
        if says_insufficient(without_markers(content, citations)):
            return Outcome.INSUFFICIENT
        return Outcome.CITED if citations else Outcome.REJECTED
    return Outcome.CITED if citations else Outcome.UNCITED


def without_markers(content: str, citations: Sequence[Citation]) -> str:
    """`content` without the markers of `citations`, each with one space before it."""
    pieces: list[str] = []
    at = 0
    for start, end in sorted({use.marker for citation in citations for use in citation.uses}):
        if start == end:
            continue
        piece = content[at:start]
        pieces.append(piece[:-1] if piece.endswith((" ", "\u00a0", "\u202f")) else piece)
        at = end
    return "".join([*pieces, content[at:]])


def with_sources(content: str, citations: Sequence[Citation]) -> str:
    """`content` and a Markdown list of its sources (the bytes of seed 004); `content` alone where it shows none."""
    if not any(start < end for citation in citations for start, end in (use.marker for use in citation.uses)):
        return content
    lines = [f"- {citation.label} {_described(citation)}\n" for citation in citations]
    return f"{content}\n\n---\n**Sources:**\n{''.join(lines)}"


def _described(citation: Citation) -> str:
    # A title is a document's own words; a line break in it would end the list.
    title = " ".join((citation.document_title or "").split()) or "Unknown source"
    return title if citation.page is None else f"{title}, page {citation.page}"
