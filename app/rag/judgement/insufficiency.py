"""Detect answers that only say the sources do not hold the information. Pure.

Every sentence counts: one must say that something is missing from the sources, and none may say anything about the
matter itself, or a real answer with one careful sentence would be withdrawn.
"""

import re

from app import language
from app.rag.citations import escaping
from app.rag.judgement import missing_phrases

_LONGEST = 400
_MARKUP = re.compile(
    r"[*_`#>]+|^[ \t]*[-•]\s+|^\**(?:answer|antwort|réponse|respuesta)\**:\**", re.MULTILINE | re.IGNORECASE
)
_SPACES = re.compile(r"\s+")


def says_insufficient(answer: str) -> bool:
    """Whether the whole of a short answer says that the information is missing from the sources."""
    if len(answer) >= 2 * _LONGEST:
        return False
    text = _SPACES.sub(" ", _MARKUP.sub("", escaping.strip_markers(answer)).replace("\u2019", "'")).strip()
    if len(text) >= _LONGEST:
        return False
    missing = about = False
    for start, end in language.sentence_spans(text):
        for side in _split_contrast(text[start:end].lower().rstrip(" .!。")):
            if _says_missing(side, about=about):
                missing = True
            elif missing_phrases.ABOUT.search(side):
                about = True
            elif not missing_phrases.BESIDE.search(side):
                return False
    return missing


def _split_contrast(sentence: str) -> list[str]:
    """A sentence, or both sides of its "but": each must count."""
    return [side.strip() for side in missing_phrases.TURN.split(sentence, maxsplit=1)]


def _says_missing(side: str, *, about: bool) -> bool:
    """Whether this side says that something is missing; `about`: the sources were named before, "they" means them."""
    if missing_phrases.CONDITION.search(side):
        return False
    return bool(missing_phrases.MISSING.search(side) or (about and missing_phrases.THEY.search(side)))
