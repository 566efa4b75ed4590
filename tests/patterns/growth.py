"""How a pattern's steps grow with the text under its worst attack, found by doubling."""

import itertools
import random
import re
from dataclasses import dataclass
from typing import Any

from tests.patterns.attacks import SPOILERS, Attacks
from tests.patterns.counting import Counter, OverBudgetError

_FEW, _LONGEST = 16, 1536
_BUDGET = 400_000
_ALTOGETHER = 60_000
_SUSPECT = 7
"""Steps per character of a short text from which on a longer one is tried."""
_LINEAR = 1.35


@dataclass(frozen=True, slots=True)
class Growth:
    """The worst of all attacks: its steps per character, or that growth did not stop."""

    linear: bool
    per_character: float
    attack: tuple[str, str, str]


def grown(pattern: "re.Pattern[Any]", *, anchored: bool) -> Growth:
    """The worst growth among the attacks on a pattern, within a budget of steps."""
    counter, attacks = Counter(pattern), Attacks(pattern)
    every = list(itertools.product(attacks.prefixes(), attacks.pumps(), SPOILERS))
    random.Random(0).shuffle(every)  # noqa: S311
    worst, spent = Growth(True, 0.0, ("", "", "")), 0
    for attack in every:
        found, steps = _attacked(counter, attack, anchored=anchored)
        spent += steps
        if (not found.linear, found.per_character) > (not worst.linear, worst.per_character):
            worst = found
        if not worst.linear or spent > _ALTOGETHER:
            break
    return worst


def _attacked(counter: Counter, attack: tuple[str, str, str], *, anchored: bool) -> tuple[Growth, int]:
    prefix, pump, spoiler = attack
    times, before, spent = _FEW, 0.0, 0
    while True:
        text = prefix + pump * times + spoiler
        try:
            steps = counter.steps(text, most=_BUDGET, anchored=anchored)
        except OverBudgetError:
            return Growth(False, float("inf"), attack), spent + _BUDGET
        spent += steps
        per_character = steps / len(text)
        if per_character <= before * _LINEAR or (not before and per_character < _SUSPECT):
            return Growth(True, per_character, attack), spent
        if times > _LONGEST:
            return Growth(False, per_character, attack), spent
        before, times = per_character, times * 2
