"""Correct the typing errors of a question by the words of the texts that may answer it. Pure."""

import re
from collections import Counter
from collections.abc import Iterable

# A word that may have a typing error: neither a name nor a short word.
_LONG_WORD = re.compile(r"(?<![\w-])[a-zäöüßàâçéèêëîïôûùñáíóú]{6,24}(?![\w-])")
_FORM = 6  # letters that a word shares with its other forms
_OFTEN = 2  # how often texts must have the right word
_LONGEST_QUESTION, _MOST_CORRECTED = 500, 4  # characters of a question, and words that are corrected in it
_MOST_TEXTS, _MOST_CHARACTERS = 20, 200_000  # in which the right word is looked for


def correct_typing_errors(question: str, texts: Iterable[str]) -> str:
    """The question with its misspelled words corrected: those that no text has, but that are one typing error from one.

    A word is only corrected if there is exactly one such word, and texts have it more than once. Names and short words
    are left unchanged.
    """
    if len(question) > _LONGEST_QUESTION:
        return question
    said = "\n".join(list(texts)[:_MOST_TEXTS])[:_MOST_CHARACTERS].lower()
    unknown = [word for word in dict.fromkeys(_LONG_WORD.findall(question)) if word[:_FORM] not in said]
    counts = Counter(_LONG_WORD.findall(said) if unknown else ())
    right: dict[str, str] = {}
    for word in unknown[:_MOST_CORRECTED]:
        near = [known for known, count in counts.items() if count >= _OFTEN and _is_slip(word, known)]
        if len(near) == 1:
            right[word] = near[0]
    return _LONG_WORD.sub(lambda found: right.get(found[0], found[0]), question)


def _is_slip(word: str, known: str) -> bool:
    """Whether two words differ by one letter, not the first, that is extra, missing, wrong or swapped with the next."""
    if word[0] != known[0] or abs(len(word) - len(known)) > 1:
        return False
    same = next((at for at, (one, other) in enumerate(zip(word, known, strict=False)) if one != other), len(word))
    one, other = word[same:], known[same:]
    return bool(one and other) and (
        one[1:] == other[1:]
        or one[1:] == other
        or one == other[1:]
        or (one[:2] == other[1::-1] and one[2:] == other[2:])
    )
