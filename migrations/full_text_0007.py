"""The full text as version 0007 stores it.

A copy of that version's index, so that the migration writes the same rows whatever becomes of the index. Where the
index later changes what it stores, a later migration changes these rows.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import Stemmer

COUNT_CHUNKS = (
    "INSERT INTO keyword_totals(project_id, chunks, terms) VALUES (:project_id, :chunks, :terms) "
    "ON CONFLICT(project_id) DO UPDATE SET chunks = chunks + excluded.chunks, terms = terms + excluded.terms "
    "RETURNING number"
)
"""Adds chunks to the totals of their project; returns its number."""
ADD_TEXT = (
    "INSERT INTO chunk_texts(rowid, n1, n2, n3, n4, n5, n6, n8, n11, n16) "
    "VALUES (:id, :n1, :n2, :n3, :n4, :n5, :n6, :n8, :n11, :n16)"
)
"""Adds the full text of chunks. Takes `text_row`."""

_COUNTS = (1, 2, 3, 4, 5, 6, 8, 11, 16)
_COLUMNS = tuple(f"n{count}" for count in _COUNTS)
_LENGTH_BITS = 12
MAX_CHUNK_TERMS = 4095
MAX_WORD_LENGTH = 64
HEADING_WEIGHT = 2
_WORD = re.compile(r"[^\W_]+")
ACCENTS = re.compile("[\u0300-\u036f]+")
_CJK_RUN = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
stem = cast("Callable[[str], str]", Stemmer.Stemmer("porter", 0).stemWord)  # pyright: ignore[reportUnknownMemberType]


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How often each term occurs in a chunk, and the chunk's length in terms."""

    length: int
    counts: Mapping[str, int]


def count_terms(heading: str, text: str) -> CountedTerms:
    """Count the terms of a chunk; those of its heading count double."""
    above, below = _stem_words(_split_words(heading)), _stem_words(_split_words(text))
    counts = Counter(below)
    for term in above:
        counts[term] += HEADING_WEIGHT
    return CountedTerms(min(MAX_CHUNK_TERMS, len(above) + len(below)), counts)


def text_row(number: int, chunk_id: int, counted: CountedTerms) -> dict[str, int | str]:
    """The row of a chunk, for the project of this number."""
    columns: dict[str, list[str]] = {column: [] for column in _COLUMNS}
    for term, count in counted.counts.items():
        columns[_COLUMNS[bisect_right(_COUNTS, count) - 1]].append(f"{number}x{term}")
    texts = {column: " ".join(found) for column, found in columns.items()}
    return {"id": chunk_id << _LENGTH_BITS | counted.length, **texts}


def stored_terms(number: int, counted: CountedTerms) -> list[str]:
    """The terms of a chunk as PostgreSQL stores them, for the project of this number."""
    return [f"{number}x{term}:{_COUNTS[bisect_right(_COUNTS, count) - 1]}" for term, count in counted.counts.items()]


def with_pairs(text: str) -> str:
    """`text` with every run of Chinese, Japanese and Korean characters as overlapping pairs."""

    def pairs(match: re.Match[str]) -> str:
        run = match[0]
        return f" {' '.join(run[i : i + 2] for i in range(max(1, len(run) - 1)))} "

    return _CJK_RUN.sub(pairs, text)


def _split_words(text: str) -> list[str]:
    return _WORD.findall(with_pairs(ACCENTS.sub("", text.lower())))


def _stem_words(words: Iterable[str]) -> list[str]:
    return [term for word in words if (term := _stem_word(word[:MAX_WORD_LENGTH]))]


@lru_cache(maxsize=100_000)
def _stem_word(word: str) -> str:
    if not word.isascii():
        bare = ACCENTS.sub("", unicodedata.normalize("NFKD", word))
        word = "".join(filter(str.isalnum, unicodedata.normalize("NFC", bare).lower()))
    return stem(word)
