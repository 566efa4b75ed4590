"""Choose the sentence of a passage that best supports a citing text, and score its support. Pure."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app import language
from app.language import scripts
from app.phrase_files import read_phrases

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CJK = re.compile(f"[{language.CJK}]")
_NO_DIGIT = re.compile(r"\D")
_SIGNS = frozenset("$€£¥%‰°")
_SPACES = " \u00a0\u202f-"
_NEAR = 40  # characters before and after a number that are read
_LONGEST_ABBREVIATION = 3
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_LIST_ITEM = re.compile(r"(?:[-*+\u2022]|\d{1,3}[.)])\s+")
_PHRASES = read_phrases(__file__, "quotes.toml")
_NEGATIONS = _PHRASES.words("negations")
_ASKING_WORDS, _ASKING = _PHRASES.words("asking"), _PHRASES.pattern("asking")
_NEGATED = re.compile(r"n['\u2019]t\b|[不没沒無无未]")
_CACHED = 4096
_WEIGHED_PASSAGES = 20
# Passages whose sentences are cached, at about 10 kB each: the best of a project are found again and again.
_KNOWN_PASSAGES = 1024

# Tuned on XQuAD: how often the correct passage scores above others of its article, and how often the quote contains the
# answer. Changing a weight by 0.2 changes neither by more than a point.
_NUMBER_WEIGHT = 2.0
_NEIGHBOR = 0.5
_IN_PASSAGE = 0.3
_HEADING = 0.5
_NEGATION_DIFFERS = 0.7

WEAK_SUPPORT = 0.15
"""Below this a citation is called weak; 5% of correct citations score below this (tests/evaluation/supporting.py)."""

PLACED_SUPPORT = 0.5
"""A sentence with this support gets a marker that the model did not write; 3% of claims whose source is missing do."""


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
class IndexedPassage:
    """A passage with its sentences, and the terms of all of it and of its title and headings."""

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
    """Finds quotes in passages. `passages` maps a number to a passage's text and its title and headings."""

    def __init__(self, passages: Mapping[int, tuple[str, str]]) -> None:
        self._passages = passages
        self._indexed: dict[int, IndexedPassage] = {}
        self._quote_cache: dict[tuple[int, str | None], Quote] = {}
        self._term_counts: _TermCounts | None = None

    def best_quote(self, number: int, citing: str | None) -> Quote:
        """The sentence of passage `number` that best supports `citing`; for None the first sentence, with support 0."""
        key = number, citing
        if key not in self._quote_cache:
            if len(self._quote_cache) >= _CACHED:
                self._quote_cache.clear()
            self._quote_cache[key] = self._find_quote(self._indexed_passage(number), citing)
        return self._quote_cache[key]

    def find_supporting_passage(self, sentence: str, question: str) -> int | None:
        """The passage that supports `sentence` best; None if none does so well, or its quote lacks a number.

        Words of the question prove nothing: what the sentence adds to them must be supported as well. A sentence that
        adds nothing answers only a yes-or-no question.
        """
        claim = _LIST_ITEM.sub("", sentence)
        if language.STOP_WORDS.issuperset(language.split_words(claim)):
            return None
        numbers = {term for term in content_terms(claim) if term.isdigit()}
        found = {number: self.best_quote(number, claim) for number in self._passages}
        candidates = [
            number
            for number, quote in found.items()
            if numbers <= content_terms(quote.text) and _counts_the_same(claim, quote.text)
        ]
        best = max(candidates, key=lambda number: found[number].support, default=None)
        if best is None or found[best].support < PLACED_SUPPORT:
            return None
        question_terms = content_terms(question)
        added = [word for word in language.split_words(claim) if not content_terms(word) <= question_terms]
        added = [word for word in added if word not in language.STOP_WORDS]
        if not added:
            return None if _asks_for_more(question) else best
        return best if self.best_quote(best, " ".join(added)).support >= PLACED_SUPPORT else None

    def _indexed_passage(self, number: int) -> IndexedPassage:
        if number not in self._indexed:
            self._indexed[number] = index_passage(*self._passages[number])
        return self._indexed[number]

    def _weigh_terms(self, wanted: frozenset[str]) -> dict[str, float]:
        """The weight of each term: low for terms of many sentences in the context, high for numbers."""
        if self._term_counts is None:
            some = [self._indexed_passage(number) for number in list(self._passages)[:_WEIGHED_PASSAGES]]
            found = Counter(term for passage in some for sentence in passage.sentences for term in sentence.terms)
            self._term_counts = _TermCounts(found, sum(len(passage.sentences) for passage in some))
        counts = self._term_counts
        return {
            term: (_NUMBER_WEIGHT if term.isdigit() else 1.0)
            * math.log1p((counts.sentences + 0.5) / (counts.sentences_by_term[term] + 0.5))
            for term in wanted
        }

    def _find_quote(self, passage: IndexedPassage, citing: str | None) -> Quote:
        if not passage.sentences:
            return Quote("", (0, 0), 0.0)
        wanted = content_terms(citing or "")
        if citing is None or not wanted:
            return _quote_sentence(passage, 0, 0.0)
        weights = self._weigh_terms(wanted)
        words = language.split_words(citing)
        negated = _has_negation(citing, words)
        scores = [
            _term_coverage(weights, passage, i) * (1.0 if sentence.negated == negated else _NEGATION_DIFFERS)
            for i, sentence in enumerate(passage.sentences)
        ]
        best = max(range(len(scores)), key=scores.__getitem__)
        joined = f" {' '.join(words)} "
        contained = [i for i, sentence in enumerate(passage.sentences) if joined in sentence.words]
        if contained or joined in passage.words:
            return _quote_sentence(passage, contained[0] if contained else best, 1.0)
        return _quote_sentence(passage, best, scores[best])


def content_terms(text: str) -> frozenset[str]:
    """The stems of the content words of `text`, and its numbers without separators."""
    return _content_terms(text, None)


def _content_terms(text: str, words: Sequence[str] | None) -> frozenset[str]:
    """The content terms of a text; `words` are its words, if they have been split already."""
    numbers = {_NO_DIGIT.sub("", scripts.fold(number)) for number in _NUMBER.findall(text)}
    if numbers or words is None:
        words = language.split_words(_NUMBER.sub(" ", text) if numbers else text)
    return frozenset(numbers.union(map(language.stem_word, language.distinct_terms(words))))


@lru_cache(_KNOWN_PASSAGES)
def index_passage(text: str, heading: str) -> IndexedPassage:
    """Find the sentences and terms of a passage. `heading` is its title with the headings above it."""
    sentences = tuple(_index_sentence(text, *span) for span in language.sentence_spans(text))
    terms = frozenset[str]().union(*(sentence.terms for sentence in sentences))
    return IndexedPassage(text, sentences, terms, content_terms(heading), _join_words(text))


def _index_sentence(text: str, start: int, end: int) -> _IndexedSentence:
    sentence = text[start:end]
    words = language.split_words(sentence)
    return _IndexedSentence(
        (start, end), _content_terms(sentence, words), f" {' '.join(words)} ", _has_negation(sentence, words)
    )


def _term_coverage(weights: Mapping[str, float], passage: IndexedPassage, at: int) -> float:
    own = passage.sentences[at].terms
    near = frozenset[str]().union(*(sentence.terms for sentence in passage.sentences[max(0, at - 1) : at + 2]))
    covered = 0.0
    for term, weight in weights.items():
        if term in own:
            covered += weight
        elif term in near:
            covered += weight * _NEIGHBOR
        elif term in passage.heading:
            covered += weight * _HEADING
        elif term in passage.terms:
            covered += weight * _IN_PASSAGE
    return covered / sum(weights.values())


def _quote_sentence(passage: IndexedPassage, at: int, support: float) -> Quote:
    start, end = passage.sentences[at].span
    return Quote(passage.text[start:end], (start, end), round(support, 4))


def _join_words(text: str) -> str:
    return f" {' '.join(language.split_words(text))} "


def _has_negation(text: str, words: Sequence[str]) -> bool:
    return _NEGATED.search(text) is not None or not _NEGATIONS.isdisjoint(words)


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A number with the words before and after it in lower case, and whether it has a sign such as € or %."""

    number: str
    before: str
    after: str
    has_sign: bool


def _find_quantities(text: str) -> list[_Quantity]:
    found: list[_Quantity] = []
    for match in _NUMBER.finditer(text):
        before = text[max(0, match.start() - _NEAR) : match.start()].rstrip(_SPACES)
        after = text[match.end() : match.end() + _NEAR].lstrip(_SPACES)
        words_before = language.split_words(before.rstrip(":"))
        words_after = language.split_words(after) if after[:1].isalpha() else []
        sign = before[-1:] in _SIGNS or after[:1] in _SIGNS
        found.append(_Quantity(scripts.fold(match[0]), "".join(words_before[-1:]), "".join(words_after[:1]), sign))
    return found


def _counts_the_same(claim: str, quote: str) -> bool:
    """Whether each number of a claim counts the same thing in the quote.

    It does if the quote contains the word after it, or if the number has a sign there, or an abbreviation of the word,
    or the same word before it ("step 3"). Years count nothing.
    """
    terms, shown = content_terms(quote), _find_quantities(quote)

    def is_same(claimed: _Quantity, quoted: _Quantity) -> bool:
        if claimed.number != quoted.number:
            return False
        short = quoted.after[:1] == claimed.after[0] and len(quoted.after) <= _LONGEST_ABBREVIATION
        labeled = claimed.before == quoted.before != "" and (not quoted.after or quoted.after in language.STOP_WORDS)
        return quoted.has_sign or short or labeled

    return all(
        content_terms(each.after) <= terms or any(is_same(each, quoted) for quoted in shown)
        for each in _find_quantities(claim)
        if len(each.after) > 1 and each.after not in language.STOP_WORDS
        if not _CJK.search(each.after) and not _YEAR.fullmatch(each.number)
    )


def _asks_for_more(question: str) -> bool:
    """Whether a question asks for more than yes or no."""
    return not _ASKING_WORDS.isdisjoint(language.split_words(question)) or _ASKING.search(question) is not None
