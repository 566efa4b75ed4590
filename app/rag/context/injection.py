"""Detect passages that try to instruct the model that reads them. Pure.

A flag for readers, not a defense: whatever a passage says, it goes to the model as a quotation between its delimiters.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

from app import safe_text
from app.knowledge import parsed_documents
from app.rag.citations.citation_types import CitableSource
from app.rag.context import injection_phrases as phrases
from app.rag.events import AnswerNotice
from app.statuses import NoticeCode

# Invisible letters: tags (except in flags, which begin with a black flag), and long runs of zero width.
_INVISIBLE = re.compile(
    "(?<![\U0001f3f4\U000e0061-\U000e007a\U000e0030-\U000e0039])[\U000e0020-\U000e007e]{4}"
    "|[\u200b-\u200d\u2060-\u2064\ufeff]{12}"
)
# Texts whose flag is remembered, at about a kilobyte each: the best passages of a project are found again and again.
_KNOWN_TEXTS = 4096
_FORMAT = re.compile(f"[{safe_text.INVISIBLE}]")
_SPACES = re.compile(r"[^\S\n]+")
_WORD = re.compile(r"[^\W\d_]+")


def instruction_notices(sources: Iterable[CitableSource]) -> list[AnswerNotice]:
    """One notice per document with a passage that tries to instruct the model; the notice quotes none of its text.

    Takes a third of a millisecond per passage that was not sent before.
    """
    found: list[AnswerNotice] = []
    reported: set[str] = set()
    for source in sources:
        shown = "\n".join((source.document_title or "", *source.heading, source.text))
        if source.document_id not in reported and contains_instructions(shown):
            reported.add(source.document_id)
            place = parsed_documents.page_suffix(source.page, " ({})")
            name = " ".join((source.document_title or "Unknown source").split())
            message = (
                f'"{name}"{place} contains text that reads like instructions to the model; it was sent as a quotation.'
            )
            found.append(AnswerNotice(NoticeCode.INSTRUCTIONS_IN_SOURCE, message))
    return found


@lru_cache(_KNOWN_TEXTS)
def contains_instructions(text: str) -> bool:
    """Whether `text` addresses a model rather than a reader. Linear in its length."""
    return find_instructions(text) is not None


def find_instructions(text: str) -> str | None:
    """The first phrase that instructs the model, in lower case; None if there is none."""
    if invisible := _INVISIBLE.search(text):
        return invisible[0]
    plain = _visible_text(text)
    patterns = [phrases.SHAPES]
    beginnings = {word[: phrases.BEGINNING] for word in _WORD.findall(plain)}
    patterns += [rule.pattern for rule in phrases.RULES if not rule.beginnings.isdisjoint(beginnings)]
    if not plain.isascii():
        patterns += [pattern for script, pattern in phrases.SCRIPTS if script.search(plain)]
    return next((match[0] for pattern in patterns if (match := pattern.search(plain))), None)


def _visible_text(text: str) -> str:
    """`text` as a reader sees it, in lower case: letters normalized, invisible ones removed, spaces collapsed."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _FORMAT.sub("", text)).replace("\u2019", "'")
    if "%20" in text:
        text = unquote(text)
    return _SPACES.sub(" ", text).lower()
