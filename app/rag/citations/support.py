"""Find the sentence of a passage that best supports a citing sentence, and how well it does. Pure."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from app import language

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NEGATION_WORDS = """no not never none nobody nothing neither nor without cannot nicht kein keine keinen keinem
keiner nie niemals ohne ne pas jamais aucun aucune sans nunca sin ningún ninguna ninguno ni"""
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_NEGATED = re.compile(r"n['\u2019]t\b|[不没沒無无未]")
_ENDINGS = ("ingly", "edly", "ing", "ies", "ed", "es", "ly", "s")
_SHORTEST_STEM = 3
_LONGEST_STEM = 6  # "Verwaltung" and "verwaltet"; better than whole words in English and German
_CACHED = 4096
_WEIGHED_PASSAGES = 20

# Measured on XQuAD, the true passage against the others of its article, and whether the quote holds the answer; 0.2
# more or less changes neither by more than a point.
_NUMBER_WEIGHT = 2.0
_NEIGHBOUR = 0.5
_ELSEWHERE = 0.3
_HEADING = 0.5
_NEGATION_DIFFERS = 0.7

WEAK_SUPPORT = 0.15
"""Support under which a citation is called weak: five true ones in a hundred are (tests/evaluation/supporting.py)."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of a passage, its span in the passage's text, and its support in [0, 1]."""

    text: str
    span: language.Span
    support: float


@dataclass(frozen=True, slots=True)
class _IndexedSentence:
    span: language.Span
    terms: frozenset[str]
    words: str
    negated: bool


@dataclass(frozen=True, slots=True)
class _IndexedPassage:
    text: str
    sentences: tuple[_IndexedSentence, ...]
    terms: frozenset[str]
    heading: frozenset[str]
    words: str


@dataclass(frozen=True, slots=True)
class _TermCounts:
    sentences_by_term: Counter[str]
    sentences: int


class QuoteFinder:
    """Finds quotes in passages; `passages` maps a number to a passage's text and to its title and headings."""

    def __init__(self, passages: Mapping[int, tuple[str, str]]) -> None:
        self._passages = passages
        self._prepared: dict[int, _IndexedPassage] = {}
        self._found: dict[tuple[int, str | None], Quote] = {}
        self._weights: _TermCounts | None = None

    def best_quote(self, number: int, citing: str | None) -> Quote:
        """The sentence of passage `number` that supports `citing` best; its first one with support 0 for None."""
        key = number, citing
        if key not in self._found:
            if len(self._found) >= _CACHED:
                self._found.clear()
            self._found[key] = self._find_quote(self._indexed_passage(number), citing)
        return self._found[key]

    def _indexed_passage(self, number: int) -> _IndexedPassage:
        if number not in self._prepared:
            self._prepared[number] = _index_passage(*self._passages[number])
        return self._prepared[number]

    def _weigh_terms(self, wanted: frozenset[str]) -> dict[str, float]:
        """Each term's weight: terms that many sentences of the context share say little; numbers say much."""
        if self._weights is None:
            some = [self._indexed_passage(number) for number in list(self._passages)[:_WEIGHED_PASSAGES]]
            found = Counter(term for passage in some for sentence in passage.sentences for term in sentence.terms)
            self._weights = _TermCounts(found, sum(len(passage.sentences) for passage in some))
        known = self._weights
        return {
            term: (_NUMBER_WEIGHT if term.isdigit() else 1.0)
            * math.log1p((known.sentences + 0.5) / (known.sentences_by_term[term] + 0.5))
            for term in wanted
        }

    def _find_quote(self, passage: _IndexedPassage, citing: str | None) -> Quote:
        if not passage.sentences:
            return Quote("", (0, 0), 0.0)
        wanted = content_terms(citing or "")
        if citing is None or not wanted:
            return _quote_sentence(passage, 0, 0.0)
        weights = self._weigh_terms(wanted)
        negated = _is_negated(citing)
        scores = [
            _term_coverage(weights, passage, i) * (1.0 if sentence.negated == negated else _NEGATION_DIFFERS)
            for i, sentence in enumerate(passage.sentences)
        ]
        best = max(range(len(scores)), key=scores.__getitem__)
        words = _join_words(citing)
        contained = [i for i, sentence in enumerate(passage.sentences) if words in sentence.words]
        if contained or words in passage.words:
            return _quote_sentence(passage, contained[0] if contained else best, 1.0)
        return _quote_sentence(passage, best, scores[best])


def content_terms(text: str) -> frozenset[str]:
    """The words of `text` that carry meaning, without their endings, and its numbers without separators."""
    numbers = {re.sub(r"\D", "", number) for number in _NUMBER.findall(text)}
    return frozenset(numbers | {stem_word(term) for term in language.search_terms(_NUMBER.sub(" ", text))})


def stem_word(word: str) -> str:
    """The first letters of `word` without its commonest endings: crude, and alike on both sides, as is all we need."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word.removesuffix(ending)
            break
    return (word.rstrip("e") or word)[:_LONGEST_STEM]


def _index_passage(text: str, heading: str) -> _IndexedPassage:
    sentences = tuple(
        _IndexedSentence(
            (start, end), content_terms(text[start:end]), _join_words(text[start:end]), _is_negated(text[start:end])
        )
        for start, end in language.sentence_spans(text)
    )
    terms = frozenset[str]().union(*(sentence.terms for sentence in sentences))
    return _IndexedPassage(text, sentences, terms, content_terms(heading), _join_words(text))


def _term_coverage(weights: Mapping[str, float], passage: _IndexedPassage, at: int) -> float:
    own = passage.sentences[at].terms
    near = frozenset[str]().union(*(sentence.terms for sentence in passage.sentences[max(0, at - 1) : at + 2]))
    covered = 0.0
    for term, weight in weights.items():
        if term in own:
            covered += weight
        elif term in near:
            covered += weight * _NEIGHBOUR
        elif term in passage.heading:
            covered += weight * _HEADING
        elif term in passage.terms:
            covered += weight * _ELSEWHERE
    return covered / sum(weights.values())


def _quote_sentence(passage: _IndexedPassage, at: int, support: float) -> Quote:
    start, end = passage.sentences[at].span
    return Quote(passage.text[start:end], (start, end), round(support, 4))


def _join_words(text: str) -> str:
    return f" {' '.join(language.split_words(text))} "


def _is_negated(text: str) -> bool:
    return _NEGATED.search(text) is not None or not _NEGATIONS.isdisjoint(language.split_words(text))
