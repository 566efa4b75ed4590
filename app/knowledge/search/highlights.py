"""Find where a text contains the words of a query, or forms of them."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from app import language
from app.knowledge.index import terms
from app.knowledge.index.bm25 import MAX_TERMS

# A run of CJK characters, or a word with its accents, as the index splits them: `read_file` is two words.
_WORD = re.compile(f"([{language.CJK}]+)|(?:[^\\W_{language.CJK}]|[\u0300-\u036f])+")
# A word that shares at least `_STEM` letters with a term, plus at most `_ENDING` more, is a form of it (plural, past).
_STEM = 4
_ENDING = 3
MAX_SPANS = 40
"""The most highlights per text. A chunk that consists only of terms has 200, which would be costly to return."""


class Highlighter:
    """Finds the words of one query in many texts, each in time linear in its length; case and accents do not matter."""

    def __init__(self, query: str) -> None:
        self._query = query

    def find_spans(self, text: str) -> list[language.Span]:
        """The first spans of `text` that match a search term, in order and without overlaps."""
        return list(islice(_merge_overlapping(self._find_matches(text)), MAX_SPANS))

    def find_first(self, text: str) -> language.Span | None:
        """The first span of `text` that matches a search term."""
        return next(self._find_matches(text), None)

    @cached_property
    def _terms(self) -> frozenset[str]:
        words = language.distinct_terms(terms.split_words(self._query))
        return frozenset(filter(None, map(terms.fold_word, words[:MAX_TERMS])))

    @cached_property
    def _stems(self) -> frozenset[str]:
        """The terms without their possible endings."""
        return frozenset(stem for term in self._terms for stem in _possible_stems(term))

    def _find_matches(self, text: str) -> Iterator[language.Span]:
        for match in _WORD.finditer(text):
            start, end = match.span()
            if match[1]:
                # A term is a pair of characters, or a single character if it is isolated in the query.
                for at in range(start, end):
                    yield from ((at, to) for to in (at + 1, at + 2) if to <= end and text[at:to] in self._terms)
            elif self._is_form(terms.fold_word(match[0])):
                yield start, end

    def _is_form(self, word: str) -> bool:
        """Whether the word is a term, or one of them is the other plus an ending."""
        return word in self._terms or word in self._stems or any(stem in self._terms for stem in _possible_stems(word))


def _possible_stems(word: str) -> Iterator[str]:
    return (word[:-cut] for cut in range(1, _ENDING + 1) if len(word) - cut >= _STEM)


def _merge_overlapping(spans: Iterator[language.Span]) -> Iterator[language.Span]:
    last: language.Span | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = (last[0], max(end, last[1]))
            continue
        if last is not None:
            yield last
        last = (start, end)
    if last is not None:
        yield last
