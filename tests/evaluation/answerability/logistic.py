"""Logistic regression with numpy, and the figures that tell what one is worth."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]

_RIDGE = 1e-3
_STEPS = 50


def fit_logistic(rows: Floats, wanted: Floats, weights: Floats) -> Floats:
    """Bias and weights by Newton's method; `weights` of the rows, which sum to 1."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    scaled = numpy.c_[numpy.ones(len(rows)), (rows - mean) / spread]
    found = numpy.zeros(scaled.shape[1], numpy.float64)
    ridge = _RIDGE * numpy.diag([0.0, *[1.0] * (scaled.shape[1] - 1)])
    for _ in range(_STEPS):
        chance: Floats = 1 / (1 + numpy.exp(-scaled @ found))
        slope = numpy.asarray(scaled.T @ (weights * (chance - wanted)) + ridge @ found, numpy.float64)
        curve: Floats = (scaled.T * (weights * chance * (1 - chance))) @ scaled + ridge + 1e-9 * numpy.eye(len(ridge))
        found = numpy.subtract(found, numpy.linalg.solve(curve, slope))
    plain: Floats = found[1:] / spread
    return numpy.r_[found[0] - plain @ mean, plain]


def probabilities(rows: Floats, model: Floats) -> Floats:
    """What the model says of each row."""
    return 1 / (1 + numpy.exp(-(model[0] + rows @ model[1:])))


def weighted_quantile(values: Floats, weights: Floats, share: float) -> float:
    """The value that this share of the weights falls below."""
    order = numpy.argsort(values)
    below = numpy.cumsum(weights[order]) / weights.sum()
    return float(values[order][int(numpy.searchsorted(below, share))])


def reliability(
    chances: Floats, wanted: Floats, weights: Floats, bins: int = 10
) -> Sequence[tuple[float, float, float]]:
    """For each tenth of the scale: the mean probability, how often it was so, and the share of all rows."""
    at = numpy.minimum((chances * bins).astype(int), bins - 1)
    lines: list[tuple[float, float, float]] = []
    for number in range(bins):
        here = at == number
        total = weights[here].sum()
        if total > 0:
            share = (weights * chances)[here].sum() / total, (weights * wanted)[here].sum() / total
            lines.append((float(share[0]), float(share[1]), float(total / weights.sum())))
    return lines
