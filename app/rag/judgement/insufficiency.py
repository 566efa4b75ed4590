"""Detect answers that only say that the information is missing from the sources. Pure.

Every sentence counts: one must say that something is missing, and none may say anything about the question itself.
Otherwise a real answer with one careful sentence would be withdrawn.
"""

import re

from app import language
from app.phrase_files import read_phrases
from app.rag.citations import escaping

_LONGEST = 400
_MARKUP = re.compile(
    r"[*_`#>]+|^[ \t]*[-•]\s+|^\**(?:answer|antwort|réponse|respuesta)\**:\**", re.MULTILINE | re.IGNORECASE
)
_SPACES = re.compile(r"\s+")
_PHRASES = read_phrases(__file__, "missing_phrases.toml")
_MISSING = _PHRASES.pattern("missing")
_BESIDE = _PHRASES.pattern("beside")
_ABOUT = _PHRASES.pattern("about")
_THEY = _PHRASES.pattern("they")
_CONDITION = _PHRASES.pattern("condition")
_TURN = _PHRASES.pattern("turn")


def says_insufficient(answer: str) -> bool:
    """Whether a short answer says only that the information is missing from the sources."""
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
            elif _ABOUT.search(side):
                about = True
            elif not _BESIDE.search(side):
                return False
    return missing


def _split_contrast(sentence: str) -> list[str]:
    """A sentence, or both sides of its "but", which are judged separately."""
    return [side.strip() for side in _TURN.split(sentence, maxsplit=1)]


def _says_missing(side: str, *, about: bool) -> bool:
    """Whether this side says that something is missing. `about`: "they" refers to the sources, named before."""
    if _CONDITION.search(side):
        return False
    return bool(_MISSING.search(side) or (about and _THEY.search(side)))
