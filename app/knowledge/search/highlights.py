"""Find where a text contains the words of a query, or forms of them."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice

from app import language
from app.knowledge.index import terms
from app.knowledge.index.bm25 import MAX_TERMS
from app.language import scripts

_WITHOUT_SPACES = f"{language.CJK}{scripts.WITHOUT_SPACES}"
# A run without spaces, or a word with its marks, as the index splits them: `read_file` is two words.
_WORD = re.compile(
    f"([{_WITHOUT_SPACES}]+)|(?:[^\\W_{_WITHOUT_SPACES}]|[\u0300-\u036f{scripts.MARKS}][\u200c\u200d]*+)+"
)
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
                yield from self._find_pairs(match[1], start)
            elif self._is_form(terms.fold_word(match[0])):
                yield start, end

    def _find_pairs(self, run: str, start: int) -> Iterator[language.Span]:
        """The spans of terms in a run without spaces: pairs of clusters, or one that is isolated in the query."""
        if scripts.has_any(run):
            ends, fold = list(accumulate(map(len, scripts.split_clusters(run)), initial=0)), terms.fold_word
        else:
            ends, fold = range(len(run) + 1), str
        for number, at in enumerate(ends):
            for to in ends[number + 1 : number + 3]:
                if fold(run[at:to]) in self._terms:
                    yield start + at, start + to

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
