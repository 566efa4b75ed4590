"""End an answer that its own process cannot end, keeping the text written so far."""

from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from app.chat.analytics.turns import responses_generated
from app.chat.answer_log import compaction
from app.chat.answer_log.compaction import PAYLOADS
from app.chat.answer_log.draft import Draft
from app.chat.answer_log.log_entries import text_after
from app.chat.quote_erasure import erase_pending
from app.database import models
from app.events.outbox import Outbox
from app.rag import events
from app.statuses import RUNNING, MessageStatus


def end_answer(
    db: Session,
    message_id: str,
    last: events.CancelledEvent | events.FailedEvent,
    status: MessageStatus,
    outbox: Outbox,
) -> None:
    """Write the last event and the message's final values, unless the answer has already ended.

    If the process that generates it is still running, it notices with its next write, and writes nothing more.
    """
    message = db.get(models.Message, message_id)
    if message is None or message.status not in RUNNING:
        return
    logged = [event for _, event in compaction.read_log(db, message_id)]
    draft = Draft()
    for event in logged:
        draft.add_event(event)
    payload = PAYLOADS.dump_python(last, mode="json")
    # crash guard: recover.last
    db.execute(insert(models.AnswerEvent).values(message_id=message_id, sequence=len(logged) + 1, payload=payload))
    final = draft.final_values(text_after("", logged), status, last)  # kill point: recover.event
    db.execute(update(models.Message).where(models.Message.id == message_id).values(**final))
    erase_pending(db, [message_id])
    if outbox.is_on:
        outbox.write_events(db, responses_generated(db, {message_id: final}))
