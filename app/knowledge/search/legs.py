"""Run one leg of a search, and survive its failure."""

import logging
from collections.abc import Coroutine
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from app.knowledge.index.protocol import SpaceKey

log = logging.getLogger(__name__)

Leg = dict[int, float] | None
"""Chunk id → score by words, or cosine of the nearest; None for a leg that was not requested or that failed."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """Where to search: one project, one embedding space of it, and only these documents if any are named."""

    project_id: str
    space: SpaceKey
    document_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class LegResult:
    """What a leg found; None with a problem when it failed, without one when it was not requested."""

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
    """The database's message. The error's own text would include the statement's parameters, and so the question."""
    return str(error.orig) if isinstance(error, DBAPIError) else type(error).__name__
