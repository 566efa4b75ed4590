"""Estimate whether passages contain the answer to a question, and whether an answer from them is right. Pure.

Small logistic models over quantities that a person can check. Their weights are in answerability.toml;
`python -m tests.evaluation.answerability.train` learns them and prints how well they do.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from app import language, question_language
from app.phrase_files import read_phrases
from app.rag.citations import quotes

_MAX_PASSAGES = 20
_MAX_TERMS = 100  # of a question; the rarest count
_KNOWN_PASSAGES, _KNOWN_TEXTS, _KNOWN_TERMS = 1024, 4096, 50_000
_LONGEST_DEFINITION = 100  # characters of a question that asks what something is
_NEIGHBOR, _IN_PASSAGE, _ASKING_WEIGHT = 0.5, 0.3, 0.3
# Among fewer passages a lead says nothing.
_LEAST_COMPARED = 5
# The probability if a passage defines the thing whose definition is asked for: the rarity of its name says little then.
_DEFINED = 0.6
# The highest result for few passages: otherwise an answer without any support in its source would seem likely.
_MOST_ALONE = 0.85
# Letters of a term that count: German nouns get endings and compounds that no stemmer here removes. Endings of shorter
# words are taken off: Katze, Katzen.
_STEM, _LEAST_ENDED = 6, 5
_ENDING = re.compile(r"(?:e[nrs]?|n|s)\Z")
_CJK = re.compile(f"[{language.CJK}]")
_SURE = 1e-6

_TABLE: Mapping[str, Mapping[str, float]] = tomllib.loads(
    Path(__file__).with_name("answerability.toml").read_text(encoding="utf-8")
)

COMPARED = 20
"""How many of the passages found are compared with the best one, and decide which words are rare."""

REFUSED_BELOW = _TABLE["limits"]["refused_below"]
"""A model that only quotes refuses below this; 6 % of the questions that have an answer fall below it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for an answer among the passages. The names are those of the weights."""

    lead: float | None
    """By how much the full-text score of the best passage exceeds the mean of those found: unlike the fused score, it
    is the same with every embedding model. None where too few passages compete, or full text was not searched: the rest
    must then say more (the model "alone")."""
    support: float
    """The share of the question's terms, by weight, that the best sentence and what surrounds it contain, times the
    square root of their number: half of ten words are more than half of two."""
    rarest: float
    """1 if the best passage contains the question's rarest term, which alone is less than several terms together."""
    missing_numbers: float
    """Numbers of the question that the best passage does not contain."""
    cjk: float
    """1 for questions in Chinese, Japanese or Korean, whose terms are pairs of characters."""


@dataclass(frozen=True, slots=True)
class _PassageTerms:
    """The terms of each sentence with those of its neighbors, of the heading, and of all of it."""

    sentences: tuple[tuple[frozenset[str], frozenset[str]], ...]
    heading: frozenset[str]
    every: frozenset[str]


def estimate_answerability(
    wordings: Iterable[str], passages: Sequence[tuple[str, str]], found: Sequence[tuple[str, float]]
) -> float:
    """The probability that the passages contain the answer to the question, for its best wording.

    `passages` are texts with their titles and headings, best first; `found` the texts of the best passages that were
    found, whether they are among these or not, with their full-text scores: 0 if full text did not find them.
    """
    wordings = list(wordings)
    gathered = (gather_evidence(wording, passages, found) for wording in wordings)
    judged = max((_judge_evidence(evidence) for evidence in gathered if evidence), default=0.0)
    is_defined = judged < _DEFINED and any(_is_defined(wording, passages) for wording in wordings)
    return _DEFINED if is_defined else judged


def _is_defined(question: str, passages: Sequence[tuple[str, str]]) -> bool:
    """Whether a question asks what something is, and a sentence of a passage begins with that: A project is a …"""
    asked = _ASKS_DEFINITION.search(question[:_LONGEST_DEFINITION])
    if asked is None:
        return False
    name = re.escape(asked[1])
    defines = re.compile(rf"{_BEFORE_DEFINED}{name}{_BEHIND_DEFINED}", re.IGNORECASE | re.MULTILINE)
    return any(defines.search(text) for text, _ in passages[:_MAX_PASSAGES])


def _judge_evidence(evidence: Evidence) -> float:
    values = {name: value for name, value in asdict(evidence).items() if value is not None}
    return _apply("answerable", values) if "lead" in values else min(_MOST_ALONE, _apply("alone", values))


def estimate_confidence(answerability: float, supports: Sequence[float]) -> float:
    """The probability that an answer is right, given the support of each of its citations' uses."""
    return _apply("supported", describe_answer(answerability, supports))


def describe_answer(answerability: float, supports: Sequence[float]) -> dict[str, float]:
    """The evidence for an answer that was given. The names are those of the weights."""
    sure = min(max(answerability, _SURE), 1 - _SURE)
    return {
        "answerable": math.log(sure / (1 - sure)),
        "support": sum(supports) / len(supports) if supports else 0.0,
    }


def gather_evidence(
    question: str, passages: Sequence[tuple[str, str]], found: Sequence[tuple[str, float]]
) -> Evidence | None:
    """Gather the evidence for an answer. None if there are no passages, or the question has no words."""
    lead = _measure_lead([score for _, score in found[:COMPARED]])
    wanted = _read_question(question, is_compared=lead is not None)
    indexed = [_read_passage(*passage) for passage in passages[:_MAX_PASSAGES]]
    if not wanted or not indexed:
        return None
    asking = _ASKING | _shorten(question_language.asking_words(question))
    weights = _weigh_terms(wanted, asking, [_read_terms(text) for text, _ in found[:COMPARED]])
    supports = [_best_support(weights, passage) for passage in indexed]
    best = max(range(len(indexed)), key=supports.__getitem__)
    best_terms = indexed[best].every | indexed[best].heading
    return Evidence(
        lead=lead if lead is None or supports[best] > 0 else 0.0,
        support=supports[best] * math.sqrt(len(weights)),
        rarest=float(next(iter(weights)) in best_terms),
        missing_numbers=float(sum(term.isdigit() and term not in indexed[best].every for term in weights)),
        cjk=float(_CJK.search(question) is not None),
    )


def _read_question(question: str, *, is_compared: bool) -> frozenset[str]:
    """The terms that the best passage should have; all of the question's if it has no others.

    German stop words are left out if passages are not compared, because any passage has them. If they are compared,
    full-text search has looked for them as well.
    """
    asked = question
    for pattern in (_LIMIT, _DAY, _ASKING_CJK):
        asked = pattern.sub(" ", asked)
    words = _shorten(quotes.content_terms(asked) or quotes.content_terms(question))
    return (words if is_compared or not language.is_german(question) else words - _GERMAN_STOP_WORDS) or words


def _measure_lead(scores: Sequence[float]) -> float | None:
    """The lead of the best score over the mean, if there is anything to compare.

    Passages that share words with the question have scores, unless full text was not searched.
    """
    return max(scores) - sum(scores) / len(scores) if len(scores) >= _LEAST_COMPARED and any(scores) else None


def _apply(model: str, values: Mapping[str, float]) -> float:
    weights = _TABLE[model]
    odds = weights["bias"] + sum(weights[name] * value for name, value in values.items())
    return 1 / (1 + math.exp(-odds))


def _shorten(terms: Iterable[str]) -> frozenset[str]:
    return frozenset(_shorten_term(term) if term.isalpha() else term for term in terms)


@lru_cache(_KNOWN_TERMS)
def _shorten_term(term: str) -> str:
    return (_ENDING.sub("", term) if len(term) >= _LEAST_ENDED else term)[:_STEM]


def _weigh_terms(wanted: frozenset[str], asking: Set[str], found: Sequence[str]) -> dict[str, float]:
    """The weight of each term, heaviest first: low for terms of many passages and words that only ask."""
    counts = {term: sum(f" {term} " in terms for terms in found) for term in wanted}
    weights = {
        term: math.log1p((COMPARED + 0.5) / (count + 0.5)) * (_ASKING_WEIGHT if term in asking else 1.0)
        for term, count in counts.items()
    }
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_MAX_TERMS])


def _best_support(weights: Mapping[str, float], passage: _PassageTerms) -> float:
    outside = {
        term: weight * (_NEIGHBOR if term in passage.heading else _IN_PASSAGE if term in passage.every else 0)
        for term, weight in weights.items()
    }
    best = 0.0
    for own, near in passage.sentences:
        covered = sum(
            weight if term in own else weight * _NEIGHBOR if term in near else outside[term]
            for term, weight in weights.items()
        )
        best = max(best, covered)
    return best / sum(weights.values())


_PHRASES = read_phrases(__file__, "asking.toml")
_ASKING = _shorten(quotes.content_terms(" ".join(_PHRASES.words("words"))))
_GERMAN_STOP_WORDS = _shorten(quotes.content_terms(" ".join(language.GERMAN_STOP_WORDS)))
_LIMIT, _DAY = _PHRASES.pattern("limit", re.IGNORECASE), _PHRASES.pattern("day", re.IGNORECASE)
_ASKING_CJK = _PHRASES.pattern("asking_cjk")
_ASKS_DEFINITION = _PHRASES.pattern("asks_definition", re.IGNORECASE)
_BEFORE_DEFINED, _BEHIND_DEFINED = (
    _PHRASES.join(_PHRASES.tables["patterns"][name]) for name in ("before_defined", "behind_defined")
)


@lru_cache(_KNOWN_TEXTS)
def _read_terms(text: str) -> str:
    """The terms of a text, each between spaces; a set of them would take ten times the memory."""
    return f" {' '.join(_shorten(quotes.content_terms(text)))} "


@lru_cache(_KNOWN_PASSAGES)
def _read_passage(text: str, heading: str) -> _PassageTerms:
    indexed = quotes.index_passage(text, heading)
    own = [_shorten(sentence.terms) for sentence in indexed.sentences]
    near = [frozenset[str]().union(*own[max(0, at - 1) : at + 2]) for at in range(len(own))]
    return _PassageTerms(tuple(zip(own, near, strict=True)), _shorten(indexed.heading), _shorten(indexed.terms))
