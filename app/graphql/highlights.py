"""Where a text has the words of a query, or forms of them."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from app import language

_WORD = re.compile(r"\w+")
# A word with this many letters in common with a term, and few after them, is a form of it: plural, past, …
_STEM = 4
_ENDING = 3
# As many as the index searches with.
_MOST_TERMS = 64
MOST_SPANS = 40
"""Of one text. A chunk of nothing but terms has 200, which are dearer to tell than to find."""


class Highlighter:
    """Finds the words of one query in many texts. Each takes time that grows with its own length only."""

    def __init__(self, query: str) -> None:
        self._query = query

    def spans(self, text: str) -> list[language.Span]:
        """The first spans of `text` that match a search term, in order, none overlapping."""
        return list(islice(_merged(self._matches(text)), MOST_SPANS))

    @cached_property
    def _terms(self) -> frozenset[str]:
        return frozenset(language.search_terms(self._query)[:_MOST_TERMS])

    @cached_property
    def _stems(self) -> frozenset[str]:
        """What is left of the terms without an ending."""
        return frozenset(stem for term in self._terms for stem in _stems(term))

    def _matches(self, text: str) -> Iterator[language.Span]:
        for match in _WORD.finditer(text):
            word, start = match[0].lower(), match.start()
            if len(word) != len(match[0]):  # a few letters change their length with their case
                continue
            if self._is_form(word):
                yield match.span()
            elif language.with_bigrams(word) != word:
                # Within a run of CJK characters a term is a pair, or one character that stood alone in the query.
                for length in (1, 2):
                    yield from (
                        (start + at, start + at + length)
                        for at in range(len(word) - length + 1)
                        if word[at : at + length] in self._pairs
                    )

    @cached_property
    def _pairs(self) -> frozenset[str]:
        return frozenset(term for term in self._terms if language.with_bigrams(term) != term)

    def _is_form(self, word: str) -> bool:
        """Whether the word is a term, or one of the two is the other with an ending."""
        return word in self._terms or word in self._stems or any(stem in self._terms for stem in _stems(word))


def _stems(word: str) -> Iterator[str]:
    return (word[:-cut] for cut in range(1, _ENDING + 1) if len(word) - cut >= _STEM)


def _merged(spans: Iterator[language.Span]) -> Iterator[language.Span]:
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
