"""The two legs of a search, words (full text) and meaning (vectors), each within one transaction.

All functions here run on a thread of the database.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session

from app import language
from app.knowledge import spaces
from app.knowledge.index.protocol import TextIndex, VectorIndex
from app.knowledge.search import fusion
from app.knowledge.search.queries import SearchQuery, SearchScope
from app.observation import tracing
from app.providers.base import Vectors

log = logging.getLogger(__name__)

Leg = dict[int, float] | None
"""Chunk id → full-text score, or cosine; None for a leg that was not requested or that failed."""


@dataclass(frozen=True, slots=True)
class LegResult:
    """The result of a leg in one version of the project's index.

    `scores` is None if the leg failed, with a problem, or was not requested, without one.
    """

    scores: Leg
    index_version: int
    problem: str | None = None


def search_words(
    db: Session, texts: TextIndex, scope: SearchScope, query: SearchQuery, version: int | None = None
) -> LegResult:
    """Full-text scores for all wordings of the query. `version`: the index version, if the caller has read it."""
    return _run_leg(db, scope, version, partial(_score_words, db, texts, scope, query))


def search_meaning(
    db: Session,
    index: VectorIndex,
    scope: SearchScope,
    vectors: Vectors | None,
    depth: int,
    version: int | None = None,
) -> LegResult:
    """Cosines of the chunks nearest to any of `vectors`; none if the model knows no word of the query."""
    return _run_leg(db, scope, version, partial(_score_nearest, db, index, scope, vectors, depth))


def add_missing_cosines(
    db: Session,
    index: VectorIndex,
    scope: SearchScope,
    vectors: Vectors | None,
    lexical: Mapping[int, float],
    nearest: Leg,
) -> Leg:
    """Add the cosines of the chunks that only full text has found: a missing cosine would count as 0."""
    if vectors is None or not nearest:
        return nearest
    wanted = [chunk_id for chunk_id in lexical if chunk_id not in nearest]
    if not wanted:
        return nearest
    found = [
        fusion.scale_cosines(index.score_chunks(db, scope.space, row, wanted), length)
        for row, length in fusion.unit_rows(vectors)
    ]
    return fusion.best_scores([nearest, *found])


def describe_error(error: SQLAlchemyError) -> str:
    """The database's message. The error's own text would include the statement's parameters, and so the question."""
    return str(error.orig) if isinstance(error, DBAPIError) else type(error).__name__


def _run_leg(db: Session, scope: SearchScope, version: int | None, leg: Callable[[], Leg]) -> LegResult:
    """The scores of a leg, or the problem if the database failed."""
    if version is None:
        version = spaces.read_index_version(db, scope.project_id)
    try:
        return LegResult(leg(), version)
    except SQLAlchemyError as error:
        log.warning("one leg of a search failed: %s", describe_error(error))
        return LegResult(None, version, "Its index cannot be read now.")


def _score_words(db: Session, texts: TextIndex, scope: SearchScope, query: SearchQuery) -> Leg:
    if query.mode == "VECTOR":
        return None

    def search(text: str) -> dict[int, float]:
        return texts.search_texts(db, scope.project_id, text, query.depth, scope.among)

    with tracing.child_span("search words") as span:
        wordings = [name for text in query.wordings for name in (text, *language.name_attributes(text))]
        found = fusion.best_scores([search(text) for text in wordings])
        if query.earlier is not None:
            found = fusion.add_earlier_turns(found, search(query.earlier))
        if query.rewritten is not None:
            found = fusion.lift_scores(found, search(query.rewritten))
        span.set_attributes({"footnote.chunks": len(found)})
        return found


def _score_nearest(db: Session, index: VectorIndex, scope: SearchScope, vectors: Vectors | None, depth: int) -> Leg:
    if vectors is None:
        return None
    with tracing.child_span("search vectors") as span:
        found = fusion.best_scores(
            [
                fusion.scale_cosines(index.find_nearest(db, scope.space, row, depth, scope.among), length)
                for row, length in fusion.unit_rows(vectors)
            ]
        )
        span.set_attributes({"footnote.chunks": len(found)})
        return found
