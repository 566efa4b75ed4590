"""Find the sentence without which a quotation cannot be understood: the one it refers to, or that names its subject."""

import re
from collections.abc import Sequence

from app.phrase_files import read_phrases
from app.providers.embedded.extractive import kinds
from app.providers.embedded.extractive.choosing import REFERS_BACK
from app.providers.embedded.extractive.kinds import QuestionTraits
from app.providers.embedded.extractive.scoring import Scores
from app.providers.embedded.extractive.units import QuotableUnit

_PHRASES = read_phrases(__file__, "answer_kinds.toml")
_REFERS_TO_PERSON = _PHRASES.pattern("refers_to_person", re.IGNORECASE)
_FURTHEST = 4  # how many units above a unit are searched for its subject
# Weighted shares of the question's words: a unit with less than the first needs a sentence that adds the second.
_UNNAMED, _NAMES = 0.5, 0.25


class AntecedentFinder:
    """Finds antecedents among all units, which must be in reading order."""

    def __init__(
        self, traits: QuestionTraits, all_units: Sequence[QuotableUnit], found: Sequence[QuotableUnit], scores: Scores
    ) -> None:
        self._traits = traits
        self._all_units = all_units
        self._places = {id(unit): at for at, unit in enumerate(all_units)}
        self._covered = {id(unit): scores.inside[at] for at, unit in enumerate(found)}
        self._weight = scores.weight

    def place(self, unit: QuotableUnit) -> int:
        """The index of a unit among all units."""
        return self._places[id(unit)]

    def find_antecedent(self, unit: QuotableUnit) -> QuotableUnit | None:
        """The sentence to quote together with `unit`; None if the unit is clear by itself."""
        above = self._sentences_above(unit)
        if unit.kind != "TEXT" or not above:
            return None
        if REFERS_BACK.match(unit.text):
            persons = _REFERS_TO_PERSON.match(unit.text)
            return next((each for each in above if not (persons and _REFERS_TO_PERSON.match(each.text))), above[-1])
        return self._numbering_sentence(unit, above) or self._naming_sentence(unit, above)

    def _sentences_above(self, unit: QuotableUnit) -> list[QuotableUnit]:
        """The sentences directly above a unit under its heading, nearest first."""
        at, above = self._places[id(unit)], list[QuotableUnit]()
        for other in reversed(self._all_units[max(0, at - _FURTHEST) : at]):
            if other.kind != "TEXT" or other.passage != unit.passage:
                break
            above.append(other)
        return above

    def _numbering_sentence(self, unit: QuotableUnit, above: Sequence[QuotableUnit]) -> QuotableUnit | None:
        """The nearest sentence with the numbers of the question, such as its year, if the unit has none of them."""
        if kinds.has_any_number(self._traits, unit.text):
            return None
        return next((each for each in above if kinds.has_numbers(self._traits, each.text)), None)

    def _naming_sentence(self, unit: QuotableUnit, above: Sequence[QuotableUnit]) -> QuotableUnit | None:
        """The nearest sentence with most of the question's words that the unit lacks, if these are many."""
        own = self._covered.get(id(unit))
        if own is None or float(own @ self._weight) >= _UNNAMED:
            return None
        gains = [
            float(((1 - own) * self._covered[id(each)]) @ self._weight) if id(each) in self._covered else 0.0
            for each in above
        ]
        best = max(range(len(above)), key=gains.__getitem__)
        return above[best] if gains[best] >= _NAMES else None
