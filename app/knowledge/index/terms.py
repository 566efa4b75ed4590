"""The terms that full text is indexed and searched by: words without case, accents and English endings. Pure.

Every database indexes these terms as they are, so that they all find and score alike.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import cast

import Stemmer

from app import language

MAX_QUERY_TERMS = 256
"""More terms than these of one query are not looked up."""
MAX_CHUNK_TERMS = 4095
"""A chunk counts as no longer than this many terms."""
# What is longer is no word: an address, a hash, a row of one letter.
_MAX_CHARACTERS = 64
# A term in the heading counts as much as two in the text: 0 to +1.5 nDCG@10 over ten sets.
_IN_HEADING = 2

_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_stem = cast("Callable[[str], str]", Stemmer.Stemmer("porter", 0).stemWord)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """A chunk's terms with how often they occur (in a heading twice as often), and how many it has in all."""

    length: int
    counts: Mapping[str, int]


def count_terms(heading: str, text: str) -> CountedTerms:
    """The terms of a chunk."""
    above, below = _terms(_words(heading)), _terms(_words(text))
    counts = Counter(below)
    for term in above:
        counts[term] += _IN_HEADING
    return CountedTerms(min(MAX_CHUNK_TERMS, len(above) + len(below)), counts)


def query_terms(query: str) -> list[str]:
    """Distinct terms in order, without stop words unless nothing else is left."""
    return content_terms(query) or _distinct(_words(query))


def content_terms(query: str) -> list[str]:
    """Distinct terms in order, without stop words."""
    return _distinct([word for word in _words(query) if word not in language.STOP_WORDS])


def _distinct(words: list[str]) -> list[str]:
    # Repeated words are left out first: each term costs some work.
    return list(dict.fromkeys(_terms(islice(dict.fromkeys(words), MAX_QUERY_TERMS))))


def _words(text: str) -> list[str]:
    return _WORD.findall(language.with_bigrams(_ACCENTS.sub("", text.lower())))


def _terms(words: Iterable[str]) -> list[str]:
    return [term for word in words if (term := _term(word[:_MAX_CHARACTERS]))]


@lru_cache(maxsize=100_000)
def _term(word: str) -> str:
    """Letters and digits only, whatever `word` decomposes into: an index may hold other things beside a term."""
    if not word.isascii():
        bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", word))
        word = "".join(filter(str.isalnum, unicodedata.normalize("NFC", bare).lower()))
    return _stem(word)
