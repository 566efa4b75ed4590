"""Score how well each quotable unit answers a question.

Word vectors come in as a function; the rest is counting.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from app import language, question_language
from app.phrase_files import Pattern, read_phrases
from app.providers import base
from app.providers.embedded.extractive import kinds, mismatches
from app.providers.embedded.extractive.focus import Focus, find_focus
from app.providers.embedded.extractive.kinds import QuestionTraits
from app.providers.embedded.extractive.lists import Blocks
from app.providers.embedded.extractive.units import INTRODUCES, QuotableUnit, find_label

FloatArray = NDArray[numpy.float32]
WordSums = Callable[[Sequence[str]], FloatArray]
"""For each text, the sum of its tokens' vectors, not normalized: its length shows how specific a word is."""

# Weights of a sentence, as log odds against the other sentences of the prompt: learned by softmax regression on eight
# public sets (xquad en/de/zh, covidqa, chunk_eval, anthropic_docs, mtragun, codebase: 1,600 questions, five passages
# of about 300 tokens each). With one set left out at a time, the best sentence contains the answer in 63 %, one of
# the best three in 84 %; with question words alone: 54 and 74 %; with the cosine of whole sentences alone: 41 and 65 %,
# and the cosine adds nothing to the other features.
EXACT, SIMILAR, CONTEXT, PRIOR, KIND, FRAGMENT = 1.4, 7.2, 4.0, 6.2, 0.7, -3.8
# Learned later in the same way, with the others fixed: the sentence names the thing whose value is asked for, counts
# the thing whose number is asked for, or lacks the amount that alone can answer. (For names, options and the like, such
# a preference finds wrong answers to unanswerable questions.)
FOCUS, COUNTS, LACKS = 0.6, 0.75, -1.5
# Set by hand: the sentence contains a code name or a day of the question; has all its numbers; defines the requested
# thing; introduces the requested list; has an amount in a requested unit (as far as it covers the question); begins
# with yes or no; denies something, or states a maximum, if the question asks for that.
NAMED, NUMBERED, DEFINES, LISTS, MEASURED, SETTLES, DENIES, LIMITS = 2.0, 1.0, 3.0, 1.5, 1.0, 1.0, 2.0, 1.5
# Also set by hand: it states a deadline, names the holder of the requested role, names the requested dimension (the
# width, for how wide something is), or says how many people work somewhere ("employs 45 people").
ENDS, HOLDS, DIMENSION, STAFF = 2.0, 5.0, 2.0, 8.0
# Also set by hand: it is the row or line of the requested attribute, in a table or text about the thing; or the first
# sentence below the name of the thing whose definition is asked for, which it need not repeat.
ATTRIBUTE, BELOW_NAME = 8.0, 6.0

# The similarity of related words: a cosine of 0.4.
_ALIKE = 0.08
# The similarity of words for the same thing: a cosine of 0.5 (Regal, Regalsystem: 0.64).
_ABOUT = 0.24
_LEAST_STEM = 4  # letters that a word of a label and a word of a question must share
_MOST = 0.5  # of the words; the others may be verbs
_CJK = re.compile(f"[{language.CJK}]")
_PHRASES = read_phrases(__file__, "answer_kinds.toml")
# Sentences that never answer a question. Dropping them helps readers and does not change the figures above.
_POINTER = _PHRASES.pattern("pointer", re.IGNORECASE)
_QUESTION_PHRASE = _PHRASES.pattern("question_phrase", re.IGNORECASE)
_QUESTION_WORDS_CJK = re.compile("|".join(sorted(_PHRASES.words("question_words_cjk"), key=len, reverse=True)))
# A short entry of a list or table that names a value.
_VALUE = re.compile(r"\w\S{0,40}\s*[:=\uff1a]\s*\S")


@dataclass(frozen=True, slots=True)
class Scores:
    """`total` is the score of every unit. `inside`: the question's words in each unit; `weight`: the words' weights.

    `mismatched`: the unit is about another year or number than the question, or affirms what the question negates.
    `unmatched`: words of the question that no unit, and no text above one, has in the same or a similar form.
    """

    total: FloatArray
    inside: FloatArray
    weight: FloatArray
    mismatched: NDArray[numpy.bool_]
    unmatched: frozenset[str]


def question_terms(question: str) -> list[str]:
    """The words of a question that an answer is likely to repeat; one per stem."""
    terms = language.search_terms(_QUESTION_WORDS_CJK.sub(" ", _QUESTION_PHRASE.sub(" ", question)))
    stop_words = language.question_stop_words(question) | question_language.asking_words(question)
    telling = [term for term in terms if term not in stop_words and not (len(term) == 1 and _CJK.match(term))]
    return list({rough_stem(word): word for word in reversed(telling or language.search_terms(question))}.values())


def score_units(
    question: str,
    traits: QuestionTraits,
    passages: Sequence[base.PromptPassage],
    found: list[QuotableUnit],
    blocks: Blocks,
    sums: WordSums,
) -> Scores:
    """The score of every unit."""
    query = question_terms(question)
    own = [language.split_words(_scored_text(unit, traits, blocks)) for unit in found]
    around = [language.split_words(_surroundings(unit, passages[unit.passage])) for unit in found]
    vocabulary = {word: at for at, word in enumerate({word: None for words in own + around for word in words})}
    exact, similar, length = _match_terms(query, list(vocabulary), sums)
    at_own = [[vocabulary[word] for word in words] for words in own]
    inside = numpy.stack([_best_match(exact, at) for at in at_own])
    near = numpy.stack([_best_match(similar, at) for at in at_own])
    context = numpy.stack([_best_match(exact, [vocabulary[word] for word in words]) for words in around])
    weight = _weigh_terms(length, inside)
    covered, meant, introduced = inside @ weight, near @ weight, ((1 - inside) * context) @ weight
    top = max(max(passage.score for passage in passages), 1e-6)
    prior = _floats([max(0.0, passages[unit.passage].score) / top for unit in found])
    kind = _floats([kinds.score_kind(traits, blocks.text_with_lines(unit)) for unit in found])
    mismatched = numpy.array([_is_mismatched(traits, unit, blocks) for unit in found])
    measured = _floats([kinds.measures(traits, blocks.text_with_lines(unit)) for unit in found])
    focus = find_focus(question)
    said = _floats([_score_wording(traits, unit, blocks) + _score_focus(focus, traits, unit) for unit in found])
    total = (
        EXACT * covered
        + SIMILAR * meant
        + CONTEXT * introduced
        + PRIOR * prior
        + KIND * kind
        + MEASURED * measured * covered
        + FRAGMENT * _find_fragments(found, own, traits, blocks)
        + ATTRIBUTE * _find_attributes(question, query, found, passages, sums)
        + said
        - NUMBERED * mismatched
    )
    return Scores(total.astype(numpy.float32), inside, weight, mismatched, _find_unmatched(query, similar))


def _find_attributes(
    question: str,
    query: Sequence[str],
    found: Sequence[QuotableUnit],
    passages: Sequence[base.PromptPassage],
    sums: WordSums,
) -> FloatArray:
    """1 for each row or line that is labelled with the requested attribute and is about the thing in question.

    It is about the thing if it, or a title or heading above it, has most of the question's other words.
    """
    attribute = mismatches.find_attribute(question)
    things = [word for word in query if attribute is None or not attribute.search(word)]

    def is_about(unit: QuotableUnit) -> bool:
        passage = passages[unit.passage]
        said = " ".join((passage.title, *passage.headings, unit.heading, unit.text))
        _, similar, _ = _match_terms(things, language.split_words(said), sums)
        return float((similar.max(axis=1) >= _ABOUT).mean()) >= _MOST

    return _floats(
        [
            attribute is not None
            and _is_label_of(attribute, find_label(unit), things)
            and (not things or is_about(unit))
            for unit in found
        ]
    )


def _is_label_of(attribute: Pattern, label: str, things: Sequence[str]) -> bool:
    """Whether a label names the attribute, and otherwise only things in the question: not a minimum age for an age."""
    named = attribute.search(label)
    if named is None:
        return False
    rest = language.search_terms(f"{label[: named.start()]} {label[named.end() :].partition('(')[0]}".strip())
    stems = [thing[:_LEAST_STEM] for thing in things]
    return all(any(word.startswith(stem) for stem in stems) for word in rest if word not in language.STOP_WORDS)


def have_word_like(
    word: str, units: Sequence[QuotableUnit], passages: Sequence[base.PromptPassage], sums: WordSums
) -> bool:
    """Whether one of the units, or its surroundings, has a word or a similar one."""
    return has_any_word_like([word], text_around(units, passages), sums)


def has_any_word_like(words: Sequence[str], text: str, sums: WordSums) -> bool:
    """Whether a text has one of the words, or a similar one."""
    _, similar, _ = _match_terms(list(words), list(dict.fromkeys(language.split_words(text))), sums)
    return float(similar.max(initial=0)) >= _ALIKE


def text_around(units: Sequence[QuotableUnit], passages: Sequence[base.PromptPassage]) -> str:
    """The units with their titles, headings and the text above them."""
    return "\n".join(f"{unit.text} {_surroundings(unit, passages[unit.passage])}" for unit in units)


def _find_unmatched(query: Sequence[str], similar: FloatArray) -> frozenset[str]:
    likeness = similar.max(axis=1, initial=0)
    return frozenset(word for word, most in zip(query, likeness, strict=True) if most < _ALIKE)


def _floats(values: Sequence[float]) -> FloatArray:
    return numpy.array(values, dtype=numpy.float32)


def _scored_text(unit: QuotableUnit, traits: QuestionTraits, blocks: Blocks) -> str:
    """The text of a unit; if a list is asked for, including the list that it introduces."""
    if not traits.list or not blocks.is_list(unit):
        return unit.text
    return blocks.text_with_lines(unit)


def _surroundings(unit: QuotableUnit, passage: base.PromptPassage) -> str:
    return " ".join([passage.title, *passage.headings, _above(unit)])


def _find_fragments(
    found: Sequence[QuotableUnit], own: Sequence[Sequence[str]], traits: QuestionTraits, blocks: Blocks
) -> FloatArray:
    """1 for each fragment. A line that heads a text is not a fragment, because the text is quoted with it."""
    titles = {unit.heading for unit in found}
    fragments = [_is_fragment(unit, words, traits, blocks) for unit, words in zip(found, own, strict=True)]
    return _floats([is_one and unit.text not in titles for unit, is_one in zip(found, fragments, strict=True)])


def _is_fragment(unit: QuotableUnit, words: Sequence[str], traits: QuestionTraits, blocks: Blocks) -> bool:
    """Whether a unit says too little, or nothing beyond the question: a heading, or code if a meaning is asked for."""
    if blocks.is_introduction(unit):
        return False
    tells = _VALUE.search(unit.text) or kinds.names_day(traits, unit.text) or _gives_amount(unit, words, traits)
    short = len(words) < 5 and not tells
    empty = traits.words.issuperset(words) or INTRODUCES.search(unit.text)
    is_mute = unit.kind == "CODE" and bool(traits.definitions or unit.is_part)
    return short or is_mute or bool(empty) or bool(_POINTER.search(unit.text))


def _gives_amount(unit: QuotableUnit, words: Sequence[str], traits: QuestionTraits) -> bool:
    """Whether a unit is a list item with the amount of the thing in question: 1 kg sugar."""
    if unit.kind != "ITEM" or not traits.number or kinds.score_kind(traits, unit.text) < 1:
        return False
    return not {rough_stem(word) for word in traits.words - language.STOP_WORDS}.isdisjoint(map(rough_stem, words))


def _score_wording(traits: QuestionTraits, unit: QuotableUnit, blocks: Blocks) -> float:
    """The score for having the question's names, or the form of answer that it asks for."""
    return (
        NAMED * (kinds.names(traits, unit.text) or kinds.names_day(traits, unit.text))
        + NUMBERED * kinds.has_numbers(traits, f"{_above(unit)} {unit.text}")
        + DEFINES * kinds.defines(traits, unit.text, find_label(unit))
        + LISTS * (traits.list and blocks.is_list(unit))
        + SETTLES * (traits.whether and kinds.settles(unit.text))
        + DENIES * (traits.denied and kinds.denies(unit.text))
        + LACKS * kinds.lacks_amount(traits, blocks.text_with_lines(unit))
    )


def _score_focus(focus: Focus, traits: QuestionTraits, unit: QuotableUnit) -> float:
    return (
        FOCUS * focus.score_name(unit.text)
        + COUNTS * focus.counts(unit.text)
        + LIMITS * focus.limits(unit.text)
        + ENDS * (focus.ends(unit.text) and kinds.score_kind(traits, unit.text) == 1)
        + HOLDS * focus.names_holder(unit.text)
        + STAFF * focus.counts_staff(unit.text)
        + DIMENSION * focus.names_dimension(unit.text)
        + BELOW_NAME * (unit.kind == "TEXT" and not unit.before and focus.is_meant_by(unit.heading))
    )


def _is_mismatched(traits: QuestionTraits, unit: QuotableUnit, blocks: Blocks) -> bool:
    """See `Scores.mismatched`. A number above a unit counts if the unit itself has none of that form."""
    if traits.denied and not kinds.denies(f"{_above(unit)} {blocks.text_with_lines(unit)}"):
        return True
    other = kinds.names_others(traits, unit.text)
    return other or (not kinds.has_any_number(traits, unit.text) and kinds.names_others(traits, _above(unit)))


def _above(unit: QuotableUnit) -> str:
    """The heading, the sentence before, and the introduction of a unit."""
    return " ".join((unit.heading, unit.before, unit.introduction.text if unit.introduction else ""))


def _best_match(matches: FloatArray, at: list[int]) -> FloatArray:
    return matches[:, at].max(axis=1) if at else numpy.zeros(len(matches), dtype=numpy.float32)


def _match_terms(query: list[str], vocabulary: list[str], sums: WordSums) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Query words by vocabulary: same stem (0 or 1), similarity (0 to 1); and the lengths of query words' vectors."""
    stems = numpy.array([rough_stem(word) for word in vocabulary])
    exact = numpy.stack([stems == rough_stem(word) for word in query]).astype(numpy.float32)
    vectors = sums([*query, *vocabulary])
    length = numpy.linalg.norm(vectors, axis=1)
    unit = vectors / numpy.maximum(length, 1e-6)[:, None]
    cosine = unit[: len(query)] @ unit[len(query) :].T
    # Chinese word vectors are sums of byte vectors, which are similar without meaning the same.
    latin = numpy.outer([not _CJK.search(word) for word in query], [not _CJK.search(word) for word in vocabulary])
    similar = numpy.maximum(exact, 0.8 * numpy.clip((cosine - 0.35) / 0.5, 0, 1) * latin)
    return exact, similar.astype(numpy.float32), length[: len(query)]


def _weigh_terms(length: FloatArray, inside: FloatArray) -> FloatArray:
    """Weights of the query words, which sum to 1: high for rare words with long vectors (the: 1.6)."""
    total, count = len(inside), inside.sum(axis=0)
    rare = numpy.log1p((total - count + 0.5) / (count + 0.5))
    weight = numpy.maximum(length, 3) * numpy.sqrt(rare)
    return (weight / weight.sum()).astype(numpy.float32)


def rough_stem(word: str) -> str:
    """A rough stem, good enough for the words of one prompt; seven letters work for German too."""
    return language.stem_word(word)[:7] if word.isalpha() else word
