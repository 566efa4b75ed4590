"""Choose the fewest units that answer a question, with the sentences needed to understand them."""

import re
from collections.abc import Callable, Collection, Sequence

import numpy

from app import language
from app.phrase_files import read_phrases
from app.providers.embedded.extractive import kinds, scoring
from app.providers.embedded.extractive.kinds import QuestionTraits
from app.providers.embedded.extractive.lists import Blocks
from app.providers.embedded.extractive.scoring import Scores
from app.providers.embedded.extractive.units import ASKS, QuotableUnit

# The limits of an answer; see `choose_units`.
ENOUGH, WORTHWHILE, MAX_UNITS = 0.85, 0.08, 3
_BELOW_TITLE = 2
REFERS_BACK = read_phrases(__file__, "answer_kinds.toml").pattern("refers_back", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?:its|their|his|her|(?:ihr|sein)(?:e[mnrs]?)?)\b|其", re.IGNORECASE)
_CONSTANT = re.compile(r"(?<!\w)[A-Z][A-Z0-9]*_[A-Z0-9_]+(?!\w)")


# Answers of up to three units against one: the gold answer is in 84 % of the answers (54 words) instead of 73 % (34);
# always three: 90 % (97 words). Mean of xquad en/de/zh, covidqa, chunk_eval where retrieval found the passage.
def choose_units(
    traits: QuestionTraits, found: list[QuotableUnit], scores: Scores, blocks: Blocks
) -> list[QuotableUnit]:
    """The best unit, and others that are likely to contain the answer and say something new; best first."""
    chance = numpy.exp(scores.total - scores.total.max())
    chance /= chance.sum()
    chosen: list[QuotableUnit] = []
    reached = 0.0
    order: list[int] = numpy.argsort(-scores.total, kind="stable").tolist()
    for at in order:
        if chosen and (len(chosen) == MAX_UNITS or reached >= ENOUGH or chance[at] < WORTHWHILE):
            break
        if scores.mismatched[at] and not scores.mismatched[order[0]]:
            continue
        if chosen and _brings_other_block(traits, chosen[0], found[at], blocks):
            continue
        reached += float(chance[at])
        if not any(_is_repetition(found[at].text, unit.text) for unit in chosen):
            chosen.append(found[at])
    return chosen


def _brings_other_block(traits: QuestionTraits, best: QuotableUnit, unit: QuotableUnit, blocks: Blocks) -> bool:
    """Whether a further unit is code that nothing introduces, or would bring a table, list or code of another passage.

    Such a block is much longer than a sentence, and rarely belongs to the answer unless a list or steps are asked for.
    """
    is_block = unit.kind == "CODE" or blocks.is_introduction(unit)
    if unit.passage != best.passage and is_block and not (traits.list or traits.how_to):
        return True
    return unit.kind == "CODE" and unit.introduction is None


def add_text_below_title(chosen: list[QuotableUnit], all_units: Sequence[QuotableUnit]) -> list[QuotableUnit]:
    """If the best unit is a line that heads a text, add the beginning of that text.

    Such a line may be more similar to the question than the answer is. Other units that only ask are dropped.
    """
    title, titles = chosen[0], {unit.heading for unit in all_units}
    rest = [unit for unit in chosen[1:] if unit.text not in titles or not ASKS.search(unit.text)]
    below = [
        unit
        for unit in all_units
        if (unit.passage, unit.heading) == (title.passage, title.text)
        and unit.kind in ("TEXT", "ITEM")
        and unit.text not in titles
    ]
    return list(dict.fromkeys([title, *(below[:_BELOW_TITLE] if title.kind == "TEXT" else ()), *rest]))


def add_answer_below_question(
    traits: QuestionTraits, terms: Collection[str], chosen: list[QuotableUnit], all_units: Sequence[QuotableUnit]
) -> list[QuotableUnit]:
    """If the best unit lacks the answer but is a heading that asks for it, add the first unit below, which answers it.

    `terms` are the question's. If the question is for yes or no and this unit says it, it comes first.
    """
    best = chosen[0]
    if not ASKS.search(best.heading) or best.kind not in ("TEXT", "ITEM"):
        return chosen
    if not {scoring.rough_stem(term) for term in terms} & _stems(best.heading) - _stems(best.text):
        return chosen
    below = (unit for unit in all_units if (unit.passage, unit.heading) == (best.passage, best.heading))
    first = next((unit for unit in below if unit.kind in ("TEXT", "ITEM")), best)
    leads = traits.whether and kinds.settles(first.text) == 1
    return list(dict.fromkeys([*([first] if leads else []), best, first, *chosen[1:]]))


def _stems(text: str) -> set[str]:
    return set(map(scoring.rough_stem, language.split_words(text)))


def add_continuation(
    traits: QuestionTraits, chosen: list[QuotableUnit], all_units: Sequence[QuotableUnit]
) -> list[QuotableUnit]:
    """Add the sentence after the best unit, if it continues the subject and is the only one with the answer."""
    best = chosen[0]
    if _answers(traits, best):
        return chosen
    following = next((unit for unit in all_units if unit.passage == best.passage and unit.before == best.text), None)
    if following is None or not REFERS_BACK.match(following.text) or not _answers(traits, following):
        return chosen
    if kinds.has_kind(traits, best.text) and _POSSESSIVE.match(following.text):  # "its roof" is another thing
        return chosen
    return list(dict.fromkeys([best, following, *chosen[1:]]))


def _answers(traits: QuestionTraits, unit: QuotableUnit) -> bool:
    """Whether a unit has the requested kind of answer, in a requested unit of measurement."""
    return kinds.has_kind(traits, unit.text) and not kinds.lacks_answer(traits, unit.text)


def drop_nonanswers(
    traits: QuestionTraits,
    chosen: list[QuotableUnit],
    all_units: Sequence[QuotableUnit],
    *,
    ends: Callable[[str], bool],
) -> list[QuotableUnit]:
    """Drop units that lack the only fitting kind of answer, if the best unit has it or is a title.

    `ends` says whether a text states a deadline, if that is asked for. Sentences around a unit with the answer stay,
    because they may be needed to understand it.
    """

    def answers(unit: QuotableUnit) -> bool:
        return not kinds.lacks_answer(traits, unit.text)

    titles, best = {unit.heading for unit in all_units}, chosen[0]
    if best.text in titles and not answers(best):
        return [unit for unit in chosen if answers(unit)] or chosen
    kept = [unit for unit in chosen if ends(unit.text)]
    if not kept and answers(best):
        kept = [best, *(unit for unit in chosen[1:] if answers(unit))]
    neighbors = {unit.before for unit in kept}
    return [
        unit
        for unit in chosen
        if not kept or unit in kept or unit.text in neighbors or any(unit.before == one.text for one in kept)
    ]


def add_values_of_constants(
    words: frozenset[str], chosen: list[QuotableUnit], all_units: Sequence[QuotableUnit]
) -> list[QuotableUnit]:
    """Add the unit that gives the value of a constant in the best unit: MAX_SECONDS = 900.

    The constant's name must contain one of the question's `words`.
    """
    names = {name for name in _CONSTANT.findall(chosen[0].text) if words & set(name.lower().split("_"))}
    values = [re.compile(rf"(?<!\w){name}\s*(?::\s*\w+\s*)?=\s*[\w\"']") for name in sorted(names)]
    unknown = [value for value in values if not value.search(chosen[0].text)]
    giving = [next((unit for unit in all_units if value.search(unit.text)), None) for value in unknown]
    return list(dict.fromkeys([chosen[0], *filter(None, giving), *chosen[1:]]))


def _is_repetition(one: str, other: str) -> bool:
    a, b = set(language.split_words(one)), set(language.split_words(other))
    return len(a & b) >= 0.85 * min(len(a), len(b))
