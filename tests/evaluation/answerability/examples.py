"""What the models of answerability learn from: numbers about a question with its passages, and what is true of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from tests.evaluation.answerability.logistic import Floats


@dataclass(frozen=True)
class Example:
    """Numbers about a case, and whether it should be answered. `fold` is what is left out together with it."""

    set: str
    kind: str
    values: tuple[float, ...]
    wanted: bool
    fold: str


def as_arrays(examples: Sequence[Example]) -> tuple[Floats, Floats, Floats]:
    """Rows, labels and weights: half for each label, and every set, and every kind of a set, the same."""
    counts: dict[tuple[str, str, bool], int] = {}
    kinds: dict[tuple[str, bool], set[str]] = {}
    for each in examples:
        counts[each.set, each.kind, each.wanted] = counts.get((each.set, each.kind, each.wanted), 0) + 1
        kinds.setdefault((each.set, each.wanted), set()).add(each.kind)
    weights: Floats = numpy.array(
        [1 / counts[each.set, each.kind, each.wanted] / len(kinds[each.set, each.wanted]) for each in examples]
    )
    wanted = numpy.array([float(each.wanted) for each in examples])
    for label in (0, 1):
        weights[wanted == label] /= 2 * weights[wanted == label].sum()
    return numpy.array([each.values for each in examples]), wanted, weights
