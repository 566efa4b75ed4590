"""Run one leg of a search, and survive its failure."""

import logging
from collections.abc import Coroutine
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

log = logging.getLogger(__name__)

Leg = dict[int, float] | None
"""Chunk id → score by words, or cosine of the nearest; None for a leg that is not asked for or has failed."""


@dataclass(frozen=True, slots=True)
class LegResult:
    """What a leg found; None with a problem when it failed, without one when it was not asked for."""

    scores: Leg
    problem: str | None = None


async def try_leg(leg: Coroutine[None, None, Leg]) -> LegResult:
    """The scores of a leg, or the problem if the database failed."""
    try:
        return LegResult(await leg)
    except SQLAlchemyError as error:
        log.warning("one leg of a search failed: %s", describe_error(error))
        return LegResult(None, "Its index cannot be read now.")


def describe_error(error: SQLAlchemyError) -> str:
    """What the database said; the error itself would tell the statement's parameters too, with the question."""
    return str(error.orig) if isinstance(error, DBAPIError) else type(error).__name__
