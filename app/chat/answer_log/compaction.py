"""How answer logs are stored: one row per entry while they grow, and a compact list once they are old.

The log of a finished answer needs no copies of its text: where each piece ends in the message's text is enough, and
`after: n` still returns exactly the rest. The list has one item per entry: a number (where a piece of the content
ends), a list of one number (where a piece of the reasoning ends), or the entry itself.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.rag import events
from app.statuses import RUNNING

PAYLOADS: TypeAdapter[events.LoggedEvent] = TypeAdapter(
    Annotated[events.LoggedEvent, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)
"""Converts events to their stored form and back."""

# Readers of an answer that has just ended may still be reading its rows.
_AGE = timedelta(minutes=1)
# Logs per transaction: few enough that running answers hardly have to wait.
_BATCH_SIZE = 20

StoredEvent = tuple[int, events.LoggedEvent]
"""A sequence number and its event."""


def read_log(db: Session, message_id: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
    """The events after a sequence number, in order; at most `limit` of them."""
    rows = models.AnswerEvent.message_id == message_id, models.AnswerEvent.sequence > after
    statement = select(models.AnswerEvent.sequence, models.AnswerEvent.payload).where(*rows)
    ordered = statement.order_by(models.AnswerEvent.sequence).limit(limit)
    found = db.connection().execute(ordered).all()
    if found:
        return [(row.sequence, PAYLOADS.validate_python(row.payload)) for row in found]
    old = db.execute(
        select(models.CompactLog.entries, models.Message.content, models.Message.reasoning)
        .join(models.Message, models.Message.id == models.CompactLog.message_id)
        .where(models.Message.id == message_id)
    )
    end = None if limit is None else after + limit
    return [stored for row in old for stored in expand_log(row.entries, row.content, row.reasoning or "")[after:end]]


def compact_log(log: Sequence[events.LoggedEvent], content: str, reasoning: str) -> list[Any]:
    """A finished log as a compact list. Text that is not in the content, because it was replaced, is kept as it is."""
    replaced, end = -1, 0
    for index, event in enumerate(log):
        if isinstance(event, events.ReplacedEvent):
            replaced, end = index, len(event.content)
    reasoning_end = 0
    entries: list[Any] = []
    for index, event in enumerate(log):
        if isinstance(event, events.DeltaEvent) and index > replaced and content.startswith(event.text, end):
            end += len(event.text)
            entries.append(end)
        elif isinstance(event, events.ReasoningEvent) and reasoning.startswith(event.text, reasoning_end):
            reasoning_end += len(event.text)
            entries.append([reasoning_end])
        else:
            entries.append(PAYLOADS.dump_python(event, mode="json"))
    return entries


def expand_log(entries: Sequence[Any], content: str, reasoning: str) -> list[StoredEvent]:
    """Restore a log from its compact list, without the uses of citations, which are in the message."""
    log: list[StoredEvent] = []
    end = reasoning_end = 0
    for sequence, entry in enumerate(entries, 1):
        event: events.LoggedEvent
        if isinstance(entry, int):
            event, end = events.DeltaEvent(content[end:entry]), entry
        elif isinstance(entry, list):
            until = cast("int", entry[0])
            event, reasoning_end = events.ReasoningEvent(reasoning[reasoning_end:until]), until
        else:
            event = PAYLOADS.validate_python(entry)
            if isinstance(event, events.ReplacedEvent):
                end = len(event.content)
        log.append((sequence, event))
    return log


class Compaction:
    """Compacts old logs."""

    def __init__(self, database: Database, batch_size: int = _BATCH_SIZE) -> None:
        self._database = database
        self._batch_size = batch_size

    async def compact_old_logs(self) -> int:
        """Compact all logs that ended a while ago; returns how many. Damaged ones are left to `find_broken_logs`."""
        done, after = 0, ""
        while ids := await self._next_log_ids(after):
            after = ids[-1]
            # kill point: compact.next
            done += await self._database.run_write(partial(_compact_logs, ids), Lock.ANSWER_LOGS)
        return done

    async def _next_log_ids(self, after: str) -> list[str]:
        """The next ids of messages whose logs have rows. Compact logs cost nothing here."""
        message_id = models.AnswerEvent.message_id
        logs = select(message_id).distinct().where(message_id > after).order_by(message_id).limit(self._batch_size)
        return await self._database.run_read(lambda db: list(db.scalars(logs)))


def _compact_logs(ids: Sequence[str], db: Session) -> int:
    """Compact the logs that no other process has compacted in the meantime; returns how many."""
    message, event = models.Message, models.AnswerEvent
    ended = message.status.not_in(RUNNING), message.completed_at < models.now() - _AGE
    answers = db.execute(select(message.id, message.content, message.reasoning).where(message.id.in_(ids), *ended))
    answers_by_id = {answer.id: answer for answer in answers}
    rows = select(event.message_id, event.sequence, event.payload).where(event.message_id.in_(answers_by_id))
    compacted: list[dict[str, Any]] = []
    for message_id, log in groupby(db.execute(rows.order_by(event.message_id, event.sequence)), itemgetter(0)):
        answer = answers_by_id[message_id]
        entries = _compact_rows(log, answer.content, answer.reasoning or "")
        if entries is not None:
            compacted.append({"message_id": message_id, "entries": entries})
    if compacted:
        # crash guard: compact.short
        db.execute(insert(models.CompactLog), compacted)
        # kill point: compact.inserted
        db.execute(delete(event).where(event.message_id.in_([log["message_id"] for log in compacted])))
    return len(compacted)  # kill point: compact.committing


def _compact_rows(rows: Iterable[Any], content: str, reasoning: str) -> list[Any] | None:
    """The entries of a log that has no gap; None for a damaged one, which must not stop the others."""
    log: list[events.LoggedEvent] = []
    for number, row in enumerate(rows, 1):
        if row.sequence != number:
            return None
        try:
            log.append(PAYLOADS.validate_python(row.payload))
        except ValidationError:
            return None
    return compact_log(log, content, reasoning)
