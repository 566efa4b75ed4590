"""A checked answer's text in other forms: without its markers, or with a list of its sources. Pure."""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from app import safe_text
from app.knowledge import parsed_documents
from app.rag.citations import escaping
from app.rag.citations.citation_types import CheckedCitation

_LONGEST_NAME = 500
# Characters with a meaning inside a line of Markdown; an underscore inside a word has none.
_MARKS = re.compile(r"[\\`*\[\]<>|~&$]|(?<![^\W_])_|_(?![^\W_])")
# Where bare addresses become links.
_LINKED = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)


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
    """`content` followed by a Markdown list of its sources; `content` alone if it contains no markers."""
    if not any(start < end for citation in citations for start, end in (use.marker for use in citation.uses)):
        return content
    described = [describe_source(citation, escape_markdown) for citation in citations]
    documents = defaultdict[str, set[str]](set)
    for citation, line in zip(citations, described, strict=True):
        documents[line].add(citation.document_id)
    lines = [
        f"- {citation.label} {line}{f' ({citation.document_id[-8:]})' if len(documents[line]) > 1 else ''}\n"
        for citation, line in zip(citations, described, strict=True)
    ]
    return f"{content}\n\n---\n**Sources:**\n{''.join(lines)}"


def describe_source(citation: CheckedCitation, clean: Callable[[str], str]) -> str:
    """The title with its page, or else with its headings, or its sheet and rows; `clean` is applied to each part."""
    title = clean(citation.document_title or "") or "Unknown source"
    if citation.page is not None:
        return title + parsed_documents.page_suffix(citation.page)
    places = [place for place in map(clean, citation.heading) if place and place != title]
    return parsed_documents.name_place(title, places)


def describe_quotes(citation: CheckedCitation, clean: Callable[[str], str]) -> list[str]:
    """Each quote once, with its page or row if the citation's is another; `clean` is applied to each text."""
    lines = [
        f"“{quote}”{parsed_documents.page_suffix(page if page != citation.page else None)}"
        f"{f', {row}' if row is not None and row not in citation.heading else ''}"
        for text, page, row in list_quotes(citation)
        if (quote := clean(text))
    ]
    return list(dict.fromkeys(lines))


def list_quotes(citation: CheckedCitation) -> list[tuple[str, int | None, str | None]]:
    """Each quote once, with its page and its row of a table."""
    return list(dict.fromkeys((use.quote, use.page, use.row) for use in citation.uses))


def escape_markdown(text: str) -> str:
    """`text` as one line of Markdown that shows it literally: it forms no link, no marker and no line break."""
    line = escaping.escape_markers(safe_text.to_one_line(text, _LONGEST_NAME))
    return _LINKED.sub(r"\\\g<0>", _MARKS.sub(r"\\\g<0>", line))
