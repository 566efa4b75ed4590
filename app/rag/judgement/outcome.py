"""Judge a finished answer: what became of it, and its text in other forms. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app import language
from app.answer_options import Grounding
from app.rag import events, routing
from app.rag.citations import escaping
from app.rag.citations.values import CheckedCitation
from app.rag.judgement.insufficiency import says_insufficient
from app.rag.judgement.wordless import is_wordless

NO_SOURCES_TEXT = "No relevant information was found in the knowledge base."
REJECTED_TEXT = "The answer could not be supported by the knowledge base."

# Outcomes of answers that stand as the model gave them: only these are told to it again. It repeats what it reads,
# and would repeat a refusal.
ANSWERED = frozenset({"CITED", "UNCITED", "PASSED_THROUGH"})

_LONGEST_NAME = 500
# What Markdown reads inside a line; an underscore inside a word is none of it.
_MARKS = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")
# Where bare addresses become links.
_LINKED = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)


class Outcome(StrEnum):
    """What became of an answer whose sources were in the context."""

    CITED = "CITED"
    UNCITED = "UNCITED"
    REJECTED = "REJECTED"
    INSUFFICIENT = "INSUFFICIENT"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome, the citations that stand, and the final text."""

    outcome: events.OutcomeName
    citations: tuple[CheckedCitation, ...]
    content: str


def judge_answer(
    content: str,
    citations: tuple[CheckedCitation, ...],
    route: routing.RouteName,
    *,
    grounding: Grounding,
    rejected_text: str,
) -> Verdict:
    """What becomes of a finished answer: it stands, loses its citations, or is replaced by `rejected_text`."""
    if route == "PASS_THROUGH":
        return Verdict("PASSED_THROUGH", (), content)
    verdict = judge_outcome(content, citations, grounding)
    match verdict:
        case Outcome.REJECTED:
            return Verdict("REJECTED", (), rejected_text)
        case Outcome.INSUFFICIENT:
            return Verdict("INSUFFICIENT", (), remove_markers(content, citations))
        case _:
            return Verdict(verdict.value, citations, content)


def judge_outcome(content: str, citations: Sequence[CheckedCitation], grounding: Grounding) -> Outcome:
    """The outcome of a finished answer.

    REJECTED is to be replaced by a fallback text, INSUFFICIENT by `remove_markers`; OPEN answers stay as they are.
    """
    if grounding == "GROUNDED":
        # First, as models like to cite the passages in which they found nothing.
        words = remove_markers(content, citations)
        if says_insufficient(words):
            return Outcome.INSUFFICIENT
        if not citations or is_wordless(words, [citation.document_title or "" for citation in citations]):
            return Outcome.REJECTED
        return Outcome.CITED
    return Outcome.CITED if citations else Outcome.UNCITED


def remove_markers(content: str, citations: Sequence[CheckedCitation]) -> str:
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


def append_source_list(content: str, citations: Sequence[CheckedCitation]) -> str:
    """`content` and a Markdown list of its sources (the bytes of seed 004); `content` alone where it shows none."""
    if not any(start < end for citation in citations for start, end in (use.marker for use in citation.uses)):
        return content
    described = [_describe_citation(citation) for citation in citations]
    counts = Counter(described)
    lines = [
        f"- {citation.label} {line}{f' ({citation.document_id[-8:]})' if counts[line] > 1 else ''}\n"
        for citation, line in zip(citations, described, strict=True)
    ]
    return f"{content}\n\n---\n**Sources:**\n{''.join(lines)}"


def _describe_citation(citation: CheckedCitation) -> str:
    title = escape_markdown(citation.document_title or "") or "Unknown source"
    if citation.page is not None:
        return f"{title}, page {citation.page}"
    places = [place for place in map(escape_markdown, citation.heading) if place and place != title]
    return " \u203a ".join([title, *places])


def escape_markdown(text: str) -> str:
    """A document's own words as one line of Markdown that shows them: they make no link, no marker and no new line."""
    line = escaping.escape_markers(language.to_one_line(text, _LONGEST_NAME))
    return _LINKED.sub(r"\\\g<0>", _MARKS.sub(r"\\\g<0>", line))
