"""Split text into terms for the full-text index: words without case, accents and English endings. Pure.

All databases index these terms unchanged, so they find the same chunks with the same scores.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import cast

import Stemmer

from app import language
from app.language import scripts

MAX_QUERY_TERMS = 256
"""The most terms of a query that are looked up."""
MAX_CHUNK_TERMS = 4095
"""The greatest chunk length that bm25 considers."""
# Anything longer is not a word, but an address, a hash or a repeated letter.
_MAX_WORD_LENGTH = 64
# A term in the heading counts twice: this gains 0 to 1.5 points of nDCG@10 on ten sets.
_HEADING_WEIGHT = 2
_KNOWN_WORDS = 100_000

_WORDS = language.WordFinder.compile(r"[^\W_]")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_stem = cast("Callable[[str], str]", Stemmer.Stemmer("porter", 0).stemWord)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How often each term occurs in a chunk (doubled in headings), and the chunk's length in terms."""

    length: int
    counts: Mapping[str, int]


def full_heading(title: str, heading: Sequence[str]) -> str:
    """The document's title and the headings above a chunk; a first heading that repeats the title counts once."""
    path = heading[1:] if heading and heading[0] == title else heading
    return " > ".join((title, *path))


def count_terms(heading: str, text: str) -> CountedTerms:
    """Count the terms of a chunk."""
    above, below = _stem_words(_stored_words(heading)), _stem_words(_stored_words(text))
    counts = Counter(below)
    for term in above:
        counts[term] += _HEADING_WEIGHT
    return CountedTerms(min(MAX_CHUNK_TERMS, len(above) + len(below)), counts)


def query_terms(query: str) -> list[str]:
    """Distinct terms in order, without stop words, unless there are only stop words."""
    return content_terms(query) or _distinct_terms(split_words(query))


def content_terms(query: str) -> list[str]:
    """Distinct terms in order, without stop words."""
    return _distinct_terms([word for word in split_words(query) if word not in language.STOP_WORDS])


def _distinct_terms(words: list[str]) -> list[str]:
    # Repeated words are dropped before stemming, which takes time.
    return list(dict.fromkeys(_stem_words(islice(dict.fromkeys(words), MAX_QUERY_TERMS))))


def fold_word(word: str) -> str:
    """A word as it is compared: in lower case, without accents, of letters, digits and vowel signs only."""
    if word.isascii():
        return word.lower()
    composed = scripts.fold(unicodedata.normalize("NFC", word))
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", composed))
    folded = unicodedata.normalize("NFC", bare).lower()
    return folded if folded.isalnum() else "".join(filter(scripts.is_in_words, folded))


def split_words(text: str) -> list[str]:
    """The words of a text as the index splits them: runs without spaces as pairs, without combining accents."""
    return _WORDS.find(_without_accents(text))


def _stored_words(text: str) -> list[str]:
    return _WORDS.find(_without_accents(text), single=True)


def _without_accents(text: str) -> str:
    # Queries may be decomposed, as file names are on macOS; the texts of documents are composed.
    return _ACCENTS.sub("", unicodedata.normalize("NFC", text.lower()))


def _stem_words(words: Iterable[str]) -> list[str]:
    return list(filter(None, map(_known_stems().__getitem__, words)))


class _Stems(dict[str, str]):
    """A cache from words to terms: a dictionary is faster than a cached function."""

    def __missing__(self, word: str) -> str:
        """Compute a term of letters and digits only: an index may use other characters for its own purposes."""
        if len(word) > _MAX_WORD_LENGTH:
            return self[word[:_MAX_WORD_LENGTH]]
        if len(self) >= _KNOWN_WORDS:
            self.clear()
        term = self[word] = _stem(fold_word(word))
        return term


@cache
def _known_stems() -> _Stems:
    return _Stems()
