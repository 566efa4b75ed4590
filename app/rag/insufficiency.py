"""A model's answer in; whether the whole of it says that the sources do not hold the answer, out. Pure.

Every sentence counts: one must say that something is missing from the sources, and none may say anything about the
matter itself, or a real answer with one careful sentence would be withdrawn.
"""

import re

from app import language
from app.rag import missing_phrases, neutral

_LONGEST = 400
_MARKUP = re.compile(
    r"[*_`#>]+|^[ \t]*[-•]\s+|^\**(?:answer|antwort|réponse|respuesta)\**:\**", re.MULTILINE | re.IGNORECASE
)
_SPACES = re.compile(r"\s+")


def says_insufficient(answer: str) -> bool:
    """Whether the whole of a short answer says that the information is missing from the sources."""
    if len(answer) >= 2 * _LONGEST:
        return False
    text = _SPACES.sub(" ", _MARKUP.sub("", neutral.strip_markers(answer)).replace("\u2019", "'")).strip()
    if len(text) >= _LONGEST:
        return False
    missing = False
    for start, end in language.sentences(text):
        sentence = text[start:end].lower().rstrip(" .!。")
        if _says_missing(sentence):
            missing = True
        elif not missing_phrases.BESIDE.search(sentence):
            return False
    return missing


def _says_missing(sentence: str) -> bool:
    """Whether both sides of a "but", if there is one, only tell that something is missing."""
    sides = [side.strip() for side in missing_phrases.TURN.split(sentence, maxsplit=1)]
    missing = [missing_phrases.MISSING.search(side) is not None for side in sides]
    beside = [missing_phrases.BESIDE.search(side) is not None for side in sides]
    return any(missing) and all(a or b for a, b in zip(missing, beside, strict=True))
