"""Find a question's conditions on the cells of a table: an amount beyond a limit, an extreme, yes or no. Pure."""

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.phrase_files import Pattern, read_phrases
from app.providers.embedded.extractive.tables import cells

_PHRASES = read_phrases(__file__, "conditions.toml")
_ASKS_ROWS, _DENIED = (_PHRASES.pattern(name, re.IGNORECASE) for name in ("asks_rows", "denied"))
_JOINS = _PHRASES.pattern("joins", re.IGNORECASE)
_COMPARISONS = [
    (_PHRASES.pattern("at_most", re.IGNORECASE), operator.le),
    (_PHRASES.pattern("at_least", re.IGNORECASE), operator.ge),
    (_PHRASES.pattern("below", re.IGNORECASE), operator.lt),
    (_PHRASES.pattern("above", re.IGNORECASE), operator.gt),
]
_UNIT = 12  # characters after a number that may name its unit


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that can be compared: how questions name it, and the headers and units of its columns."""

    asks: Pattern
    headers: Pattern
    units: Pattern


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the amounts in a column of one of the `quantities`, or in another column that is named."""

    quantities: Sequence[Quantity]
    choose: Callable[[Sequence[float]], frozenset[int]]
    is_extreme: bool


_QUANTITIES = {
    name: Quantity(*(_PHRASES.any_of(each[part], re.IGNORECASE) for part in ("asks", "headers", "units")))
    for name, each in _PHRASES.tables["quantities"].items()
}
_EXTREMES = [
    (_PHRASES.any_of(each["asks"], re.IGNORECASE), [_QUANTITIES[name] for name in each["of"]], each["most"])
    for each in _PHRASES.tables["extremes"]
]


def find_conditions(question: str) -> list[Condition]:
    """The comparisons and extremes that a question asks for, in the order of their application."""
    return [*_find_comparisons(question), *_find_extremes(question)]


def asks_rows(question: str) -> bool:
    """Whether a question asks for a list of rows."""
    return _ASKS_ROWS.search(question) is not None


def joins_names(question: str) -> bool:
    """Whether a question may name several things: A and B, A or B."""
    return _JOINS.search(question) is not None


def is_denied(question: str) -> bool:
    """Whether a question is negated."""
    return _DENIED.search(question) is not None


def is_extreme(text: str) -> bool:
    """Whether a text has a word for an extreme."""
    return any(asks.search(text) for asks, _, _ in _EXTREMES)


def _find_comparisons(question: str) -> Iterator[Condition]:
    if not asks_rows(question):
        return
    for pattern, compare in _COMPARISONS:
        if found := pattern.search(question):
            limit = cells.read_limit(found[found.lastindex or 0])
            unit = question[found.end() : found.end() + _UNIT]
            yield Condition(_quantities_in(unit) or _quantities_in(question), _beyond(compare, limit), is_extreme=False)
            return


def _find_extremes(question: str) -> Iterator[Condition]:
    found = next(((of, most) for asks, of, most in _EXTREMES if asks.search(question)), None)
    if found is not None:
        yield Condition(found[0], _extreme_of(max if found[1] else min), is_extreme=True)


def _quantities_in(text: str) -> list[Quantity]:
    return [quantity for quantity in _QUANTITIES.values() if quantity.asks.search(text)]


def _beyond(compare: Callable[[float, float], bool], limit: float) -> Callable[[Sequence[float]], frozenset[int]]:
    return lambda amounts: frozenset(at for at, amount in enumerate(amounts) if compare(amount, limit))


def _extreme_of(pick: Callable[[Sequence[float]], float]) -> Callable[[Sequence[float]], frozenset[int]]:
    def choose(amounts: Sequence[float]) -> frozenset[int]:
        extreme = pick(amounts)
        return frozenset(at for at, amount in enumerate(amounts) if amount == extreme)

    return choose
