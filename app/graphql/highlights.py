"""A query and a text in; where the text has the query's words, or forms of them, out. Pure."""

import re

from app import language

_WORD = re.compile(r"\w+")
# A word with this many letters in common with a term, and few after them, is a form of it: plural, past, …
_STEM = 4
_ENDING = 3


def highlights(query: str, text: str) -> list[language.Span]:
    """Spans of `text` that match a search term of `query`, in order, none overlapping."""
    terms = language.terms(query)
    spans: list[language.Span] = []
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if len(word) == len(match[0]):  # a few letters change their length with their case
            spans += [(match.start() + start, match.start() + end) for start, end in _matches(word, terms)]
    return _merged(sorted(spans))


def _matches(word: str, terms: list[str]) -> list[language.Span]:
    """The whole word where it is a form of a term; pairs of characters within a CJK run."""
    if any(_same(word, term) for term in terms):
        return [(0, len(word))]
    if language.with_bigrams(word) == word:
        return []
    pairs = [term for term in terms if language.with_bigrams(term) != term]
    return [(at.start(), at.end()) for term in pairs for at in re.finditer(re.escape(term), word)]


def _same(word: str, term: str) -> bool:
    if word == term:
        return True
    short, long = sorted((word, term), key=len)
    return len(short) >= _STEM and len(long) - len(short) <= _ENDING and long.startswith(short)


def _merged(spans: list[language.Span]) -> list[language.Span]:
    merged: list[language.Span] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
