"""The full text as version 0036 stores it, of texts with characters of certain scripts.

They are mainly Hebrew, Arabic and the scripts of India and Southeast Asia; other texts are stored as by version 0007. A
copy of that version's words, so that the migration writes the same rows whatever becomes of the index.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from migrations.full_text_0007 import ACCENTS, HEADING_WEIGHT, MAX_CHUNK_TERMS, MAX_WORD_LENGTH, CountedTerms, stem
from migrations.full_text_0007 import with_pairs as with_pairs_of_cjk

CHARACTERS = (
    "\u0590-\u109f\u1700-\u17ff\u1900-\u1aaf\u1b00-\u1c4f\u1cd0-\u1cff\ua800-\ua95f\ua980-\uaaff\uabc0-\uabff"
    "\ufb1d-\ufdff\ufe70-\ufefc"
)
"""The characters of these scripts, as the inside of a set."""

_ANY = re.compile(f"[{CHARACTERS}]")
_WITHOUT_SPACES = (
    "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e\u0e81-\u0eae\u0eb0-\u0ec5\u0ec8-\u0ece\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f\u1780-\u17d3\u17dd"
)
_RUN = re.compile(f"[{_WITHOUT_SPACES}]+")
_PRESENTATION_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
_NEEDLESS = re.compile(
    f"(?<=[\u0900-\u0dff])[\u200c\u200d]+|(?<=[{_WITHOUT_SPACES}])[\u200b-\u200d\u2060]+(?=[{_WITHOUT_SPACES}])"
)
_NASAL = re.compile("(?:ङ\u094d(?=[क-घ])|ञ\u094d(?=[च-झ])|ण\u094d(?=[ट-ढ])|न\u094d(?=[त-ध])|म\u094d(?=[प-भ]))")


def is_affected(*texts: str) -> bool:
    """Whether texts have characters of these scripts."""
    return any(not text.isascii() and _ANY.search(text) is not None for text in texts)


def count_terms(heading: str, text: str) -> CountedTerms:
    """Count the terms of a chunk; those of its heading count double."""
    above, below = _stem_words(_split_words(heading)), _stem_words(_split_words(text))
    counts = Counter(below)
    for term in above:
        counts[term] += HEADING_WEIGHT
    return CountedTerms(min(MAX_CHUNK_TERMS, len(above) + len(below)), counts)


def _split_words(text: str) -> list[str]:
    text = with_pairs_of_cjk(ACCENTS.sub("", unicodedata.normalize("NFC", text.lower())))
    return _word().findall(_RUN.sub(_split_run, _fold(text)) if is_affected(text) else text)


def _stem_words(words: Iterable[str]) -> list[str]:
    return [term for word in words if (term := _stem_word(word[:MAX_WORD_LENGTH]))]


@lru_cache(maxsize=100_000)
def _stem_word(word: str) -> str:
    if not word.isascii():
        bare = ACCENTS.sub("", unicodedata.normalize("NFKD", _fold(unicodedata.normalize("NFC", word))))
        folded = unicodedata.normalize("NFC", bare).lower()
        word = "".join(character for character in folded if character.isalnum() or character in _marks())
    return stem(word)


def _fold(text: str) -> str:
    if not is_affected(text):
        return text
    composed = _PRESENTATION_FORMS.sub(lambda forms: unicodedata.normalize("NFKC", forms[0]), text)
    return _NASAL.sub("\u0902", _NEEDLESS.sub("", composed).translate(_fold_table()))


def _split_run(match: re.Match[str]) -> str:
    clusters = _cluster().findall(match[0])
    pairs = ["".join(clusters[i : i + 2]) for i in range(len(clusters) - 1)]
    return f" {' '.join([*clusters, *pairs])} "


def _characters(ranges: str) -> Iterator[str]:
    for first, last in zip(ranges[::3], ranges[2::3], strict=True):
        yield from map(chr, range(ord(first), ord(last) + 1))


@cache
def _marks() -> frozenset[str]:
    return frozenset(each for each in _characters(CHARACTERS) if unicodedata.category(each) in {"Mn", "Mc"})


@cache
def _word() -> re.Pattern[str]:
    return re.compile(f"[^\\W_]++(?:[{''.join(sorted(_marks()))}]++[^\\W_]*+)*+")


@cache
def _cluster() -> re.Pattern[str]:
    return re.compile(
        f"[\u0e40-\u0e44\u0ec0-\u0ec4]?.(?:[{''.join(sorted(_marks()))}]|(?<=[\u1039\u17d2]).)*+"
        "[\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3]*+",
        re.DOTALL,
    )


@cache
def _fold_table() -> dict[int, str]:
    letters = {"\u0627": "\u0622\u0623\u0625\u0671", "\u064a": "\u0649\u06cc", "\u0643": "\u06a9"}
    letters |= {"\u0647": "\u0629\u06c0\u06c1", "\u0902": "\u0901", "": "\u0640\u093c"}
    table = {form: letter for letter, forms in letters.items() for form in forms}
    table |= {mark: "" for mark in _characters("\u0590-\u074f\u0870-\u08ff") if mark in _marks()}
    digits = (each for each in _characters(CHARACTERS) if unicodedata.category(each) == "Nd")
    table |= {digit: str(unicodedata.decimal(digit)) for digit in digits}
    table |= zip("ൺൻർൽൾൿ", (f"{letter}\u0d4d" for letter in "ണനരലളക"), strict=True)
    return str.maketrans(table)
