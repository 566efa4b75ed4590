"""Feedback on answers: a rating by each user, and the sources that users open."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from app import errors, global_ids
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.events.outbox import Event, Outbox
from app.events.payloads import CitationOpened, EventPayload, FeedbackGiven, FeedbackWithdrawn
from app.statuses import FeedbackReason, MessageRole

MAX_COMMENT = 2000
PRAISE = (FeedbackReason.ACCURATE, FeedbackReason.WELL_SOURCED, FeedbackReason.CLEAR)
"""Reasons for a helpful answer. OTHER fits both; all others are reasons for an answer that did not help."""


class Feedback:
    """Stores ratings of answers, and how often their sources were opened."""

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    async def rate_answer(
        self, message_id: str, user_id: str, *, helpful: bool, reason: FeedbackReason | None, comment: str | None
    ) -> models.Message:
        """Store a user's rating in place of their earlier one; returns the answer. Raises NotFound or Invalid."""
        comment = (comment or "").strip() or None
        _check_rating(reason, comment, helpful=helpful)

        def write(db: Session) -> models.Message:
            answer = _require_answer(db, message_id)
            rating = db.get(models.AnswerRating, (message_id, user_id))
            if rating is None:
                rating = models.AnswerRating(message_id=message_id, user_id=user_id, project_id=answer.project_id)
                db.add(rating)
            rating.helpful, rating.reason, rating.comment, rating.created_at = helpful, reason, comment, models.now()
            feedback = FeedbackGiven(**_event_fields(answer, user_id), helpful=helpful, reason=reason, comment=comment)
            self._outbox.write_events(db, [_build_event(answer, feedback)])
            return answer

        return await self._database.run_write(write, Lock.FEEDBACK)

    async def withdraw_rating(self, message_id: str, user_id: str) -> models.Message:
        """Delete a user's rating, if there is one; returns the answer. Raises NotFound or Invalid."""

        def write(db: Session) -> models.Message:
            answer = _require_answer(db, message_id)
            rating = db.get(models.AnswerRating, (message_id, user_id))
            if rating is not None:
                db.delete(rating)
                withdrawn = FeedbackWithdrawn(**_event_fields(answer, user_id))
                self._outbox.write_events(db, [_build_event(answer, withdrawn)])
            return answer

        return await self._database.run_write(write, Lock.FEEDBACK)

    async def record_opening(self, message_id: str, user_id: str, index: int) -> models.Message:
        """Count that a user opened source number `index` of an answer; returns the answer. Raises NotFound or Invalid.

        One row per user and source, however often it is opened.
        """

        def write(db: Session) -> models.Message:
            answer = _require_answer(db, message_id)
            citation = _find_citation(answer, index)
            if citation is None:
                raise errors.Invalid.at("index", "INVALID", f"The answer has no source with the number {index}.")
            opening, moment = db.get(models.CitationOpening, (message_id, user_id, index)), models.now()
            if opening is None:
                opening = models.CitationOpening(
                    message_id=message_id,
                    user_id=user_id,
                    citation_index=index,
                    project_id=answer.project_id,
                    count=0,
                    first_opened_at=moment,
                )
                db.add(opening)
            opening.count, opening.last_opened_at = opening.count + 1, moment
            opened = CitationOpened(
                **_event_fields(answer, user_id), citation_index=index, document_id=citation.get("document_id")
            )
            self._outbox.write_events(db, [_build_event(answer, opened)])
            return answer

        return await self._database.run_write(write, Lock.FEEDBACK)

    async def ratings_by_answer(self, message_ids: Sequence[str], user_id: str) -> list[models.AnswerRating | None]:
        """A user's ratings of these answers, in order; None for each that they have not rated."""
        rating = models.AnswerRating
        statement = select(rating).where(rating.message_id.in_(message_ids), rating.user_id == user_id)
        rows = await self._database.run_read(lambda db: db.scalars(statement).all())
        found = {row.message_id: row for row in rows}
        return [found.get(id) for id in message_ids]

    async def helpful_rates(self, project_ids: Sequence[str]) -> list[float | None]:
        """For each project, the fraction of ratings, by anybody, that say helpful; None before the first rating."""
        rating = models.AnswerRating
        helpful: ColumnElement[int] = func.count().filter(rating.helpful)
        counts = (
            select(rating.project_id, helpful, func.count())
            .where(rating.project_id.in_(project_ids))
            .group_by(rating.project_id)
        )
        rows = await self._database.run_read(lambda db: db.execute(counts).all())
        found = {project_id: count / total for project_id, count, total in rows}
        return [found.get(id) for id in project_ids]


def _require_answer(db: Session, message_id: str) -> models.Message:
    answer = db.get(models.Message, message_id)
    if answer is None:
        raise errors.NotFound("message", message_id)
    if answer.role != MessageRole.ASSISTANT:
        raise errors.Invalid.at("messageId", "INVALID", "This is a question; name an answer.")
    return answer


def _find_citation(answer: models.Message, index: int) -> dict[str, Any] | None:
    citations = cast("list[dict[str, Any]]", answer.citations or [])
    return next((citation for citation in citations if citation["index"] == index), None)


def _event_fields(answer: models.Message, user_id: str) -> dict[str, Any]:
    return {
        "project_id": answer.project_id,
        "session_id": answer.session_id,
        "answer_id": answer.id,
        "user_id": user_id,
    }


def _build_event(answer: models.Message, payload: EventPayload) -> Event:
    return Event(payload, global_ids.encode("Message", answer.id), answer.session_id, answer.project_id)


def _check_rating(reason: FeedbackReason | None, comment: str | None, *, helpful: bool) -> None:
    """Raises Invalid for a comment that is too long, or a reason that contradicts the rating."""
    issues: list[errors.Issue] = []
    if len(comment or "") > MAX_COMMENT:
        message = f"The comment must have at most {MAX_COMMENT:,} characters."
        issues.append(errors.Issue(("comment",), "TOO_LONG", message))
    if reason not in (None, FeedbackReason.OTHER) and (reason in PRAISE) != helpful:
        fitting = [each for each in FeedbackReason if each == FeedbackReason.OTHER or (each in PRAISE) == helpful]
        message = f"The reason must be one of {', '.join(fitting)} if `helpful` is {str(helpful).lower()}."
        issues.append(errors.Issue(("reason",), "INVALID", message))
    if issues:
        raise errors.Invalid(*issues)
