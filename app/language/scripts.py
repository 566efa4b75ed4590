"""Words in scripts that have marks inside words, several forms of a letter, or no spaces between words. Pure.

These are mainly Hebrew, Arabic and the scripts of India and Southeast Asia. Latin, Greek, Cyrillic, Chinese, Japanese
and Korean texts have none of their characters, so nothing here changes the words of those.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

CHARACTERS = (
    "\u0590-\u109f\u1700-\u17ff\u1900-\u1aaf\u1b00-\u1c4f\u1cd0-\u1cff\ua800-\ua95f\ua980-\uaaff\uabc0-\uabff"
    "\ufb1d-\ufdff\ufe70-\ufefc"
)
"""Letters and marks of these scripts, as the inside of a set: each range is one block of Unicode or several."""
# Letters and marks of Thai, Lao, Burmese and Khmer, without digits, signs of repetition and punctuation.
_THAI, _LAO = (
    "\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e",
    "\u0e81-\u0eae\u0eb0-\u0ec5\u0ec8-\u0ece\u0edc-\u0edf",
)
_BURMESE, _KHMER = (
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f",
    "\u1780-\u17d3\u17dd",
)
WITHOUT_SPACES = _THAI + _LAO + _BURMESE + _KHMER
"""Letters and marks of the scripts of Southeast Asia that put no spaces between words, as the inside of a set."""

_ANY = re.compile(f"[{CHARACTERS}]")


def _characters(ranges: str) -> Iterator[str]:
    for first, last in zip(ranges[::3], ranges[2::3], strict=True):
        yield from map(chr, range(ord(first), ord(last) + 1))


def _ranges(characters: Iterable[str]) -> str:
    """Characters as the inside of a set, which as ranges is compiled faster."""
    ends: list[list[str]] = []
    for character in sorted(characters):
        if ends and ord(character) == ord(ends[-1][1]) + 1:
            ends[-1][1] = character
        else:
            ends.append([character, character])
    return "".join(f"{first}-{last}" for first, last in ends)


_KINDS = {character: unicodedata.category(character) for character in _characters(CHARACTERS)}
_MARKS = frozenset(character for character, kind in _KINDS.items() if kind in {"Mn", "Mc"})
MARKS = _ranges(_MARKS)
"""Their vowel signs, points and other marks, as the inside of a set."""

_PRESENTATION_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
# Joiners say how letters are drawn, except in Persian, where they divide words; spaces of no width let lines break.
_NEEDLESS = re.compile(
    f"(?<=[\u0900-\u0dff])[\u200c\u200d]+|(?<=[{WITHOUT_SPACES}])[\u200b-\u200d\u2060]+(?=[{WITHOUT_SPACES}])"
)
# A nasal before a stop of its own class, which Hindi also writes as a dot above: हिन्दी, हिंदी.
_NASAL = re.compile("(?:ङ\u094d(?=[क-घ])|ञ\u094d(?=[च-झ])|ण\u094d(?=[ट-ढ])|न\u094d(?=[त-ध])|म\u094d(?=[प-भ]))")
_DOT_ABOVE = "\u0902"
# A letter with its marks; in Thai and Lao with the vowels around it, in Burmese and Khmer with those stacked below it.
_CLUSTER = re.compile(
    f"[\u0e40-\u0e44\u0ec0-\u0ec4]?.(?:[{MARKS}]|(?<=[\u1039\u17d2]).)*+[\u0e30\u0e32\u0e33\u0e45\u0eb0\u0eb2\u0eb3]*+",
    re.DOTALL,
)
_RUN = re.compile(f"[{WITHOUT_SPACES}]+")


def _fold_table() -> dict[int, str]:
    """How characters are compared; those that are left out of words become empty.

    Letters of Arabic are folded as by Lucene's ArabicNormalizer, those of Persian keyboards as by its PersianNormalizer
    except for yeh barree, and alef wasla as alef. Marks of Hebrew, Arabic and Syriac are points, which most texts omit.
    Of Hindi, candrabindu and nukta are folded as by HindiNormalizer; Malayalam chillu letters have two encodings.
    """
    letters = {"\u0627": "\u0622\u0623\u0625\u0671", "\u064a": "\u0649\u06cc", "\u0643": "\u06a9"}
    letters |= {"\u0647": "\u0629\u06c0\u06c1", "\u0902": "\u0901", "": "\u0640\u093c"}
    table = {form: letter for letter, forms in letters.items() for form in forms}
    table |= {mark: "" for mark in _characters("\u0590-\u074f\u0870-\u08ff") if mark in _MARKS}
    table |= {digit: str(unicodedata.decimal(digit)) for digit, kind in _KINDS.items() if kind == "Nd"}
    table |= zip("ൺൻർൽൾൿ", (f"{letter}\u0d4d" for letter in "ണനരലളക"), strict=True)
    return str.maketrans(table)


_FOLDED = _fold_table()


def has_any(text: str) -> bool:
    """Whether `text` has characters of these scripts."""
    return not text.isascii() and _ANY.search(text) is not None


def is_in_words(character: str) -> bool:
    """Whether a character is a letter, a digit, or a mark of these scripts."""
    return character.isalnum() or character in _MARKS


def fold(text: str) -> str:
    """`text` as its words are compared: without points and joiners, and with one form of each letter and digit."""
    if not has_any(text):
        return text
    composed = _PRESENTATION_FORMS.sub(lambda forms: unicodedata.normalize("NFKC", forms[0]), text)
    return _NASAL.sub(_DOT_ABOVE, _NEEDLESS.sub("", composed).translate(_FOLDED))


def split_clusters(run: str) -> list[str]:
    """A run without spaces as clusters: letters with their vowels and other marks."""
    return _CLUSTER.findall(run)


def with_pairs(text: str, *, single: bool) -> str:
    """`text` with every run in a script without spaces as overlapping pairs of clusters.

    `single`: and as the clusters themselves. Unlike in Chinese, there are too few for a pair to be a word, so that
    words of one cluster would often not be found.
    """

    def split(match: re.Match[str]) -> str:
        clusters = split_clusters(match[0])
        pairs = ["".join(clusters[i : i + 2]) for i in range(len(clusters) - 1)]
        return f" {' '.join([*clusters, *pairs] if single else pairs or clusters)} "

    return _RUN.sub(split, text)
