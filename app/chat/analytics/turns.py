"""The events of a turn, for other programs: that a question was asked, and how its answer ended."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session, aliased

from app import global_ids
from app.database import models
from app.events.outbox import Event
from app.events.payloads import EventPayload, QuerySubmitted, ResponseGenerated
from app.statuses import Decision

# Passages that selection left out were found, but not relevant enough or not needed.
_LEFT_OUT = {Decision.BELOW_THRESHOLD, Decision.DUPLICATE, Decision.BEYOND_TOP_K}
_QUESTION = aliased(models.Message)
# Columns, not rows: the final values are about to be written, and a row would be read again.
_SELECT_TURNS = (
    select(
        models.Message.id,
        models.Message.project_id,
        models.Message.session_id,
        models.Message.asked_by,
        models.Message.model,
        models.Message.created_at,
        _QUESTION.id.label("question_id"),
        _QUESTION.content.label("query"),
    )
    .join(_QUESTION, _QUESTION.id == models.Message.previous_id)
    .where(models.Message.id.in_(bindparam("ids", expanding=True)))
    .order_by(models.Message.id)
)


def query_submitted(question: models.Message, answer: models.Message) -> Event:
    """A question was stored with its pending answer, or with another one."""
    payload = QuerySubmitted(
        query=question.content,
        project_id=answer.project_id,
        user_id=answer.asked_by,
        session_id=answer.session_id,
        question_id=question.id,
        answer_id=answer.id,
        model_id=answer.model,
    )
    return _build_event(payload, answer.id, answer.session_id, answer.project_id)


def responses_generated(db: Session, finals: Mapping[str, Mapping[str, Any]]) -> list[Event]:
    """Answers have ended. `finals`: their final values, by message id."""
    if not finals:
        return []
    events: list[Event] = []
    for turn in db.connection().execute(_SELECT_TURNS, {"ids": list(finals)}):
        final = finals[turn.id]
        usage, failure, budget = (_read_object(final[name]) for name in ("usage", "failure", "budget"))
        waited_ms = (final["completed_at"] - turn.created_at).total_seconds() * 1000
        payload = ResponseGenerated(
            query=turn.query,
            response=final["content"],
            project_id=turn.project_id,
            user_id=turn.asked_by,
            session_id=turn.session_id,
            question_id=turn.question_id,
            answer_id=turn.id,
            model_id=turn.model,
            status=final["status"],
            outcome=final["outcome"],
            failure=failure.get("code"),
            # Clocks can be set back.
            latency_ms=round(max(0.0, usage.get("total_ms", waited_ms)), 1),
            citation_count=len(final["citations"] or ()),
            retrieval_count=sum(each["decision"] not in _LEFT_OUT for each in budget.get("candidates", ())),
            input_tokens=usage.get("input_tokens"),
            output_tokens=usage.get("output_tokens"),
        )
        events.append(_build_event(payload, turn.id, turn.session_id, turn.project_id))
    return events


def _read_object(value: Any) -> Mapping[str, Any]:
    return value or {}


def _build_event(payload: EventPayload, answer_id: str, session_id: str, project_id: str) -> Event:
    return Event(payload, global_ids.encode("Message", answer_id), session_id, project_id)
