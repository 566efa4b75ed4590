"""The logs of answers as the database has them: an entry a row while they grow, and a short list once they are old.

A piece of text needs no copy in the log of an answer that ended: its end in the message's text is enough, and
`after: n` still yields exactly the rest. A list has for each entry, from the first on: a number, the end of a piece in
the content; a list of one number, the end of a piece in the reasoning; or the entry itself.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, cast

from pydantic import Field, TypeAdapter, ValidationError
from sqlalchemy import delete, exists, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database import models
from app.database.engine import Database
from app.rag import events

RUNNING = ("PENDING", "STREAMING")
"""The status of an answer whose log grows."""
PAYLOADS: TypeAdapter[events.LoggedEvent] = TypeAdapter(Annotated[events.LoggedEvent, Field(discriminator="kind")])
"""Events as the database has them, and back."""

# Readers of an answer that has just ended are still in its rows.
_AGE = timedelta(minutes=1)
# Logs per transaction: few enough that running answers hardly wait.
_TOGETHER = 20

Stored = tuple[int, events.LoggedEvent]
"""A sequence and its event."""


async def read(db: AsyncSession, message_id: str, after: int = 0, most: int | None = None) -> list[Stored]:
    """What the log has after a sequence, in order; the first `most` of it."""
    rows = models.AnswerEvent.message_id == message_id, models.AnswerEvent.sequence > after
    statement = select(models.AnswerEvent.sequence, models.AnswerEvent.payload).where(*rows)
    found = (await db.execute(statement.order_by(models.AnswerEvent.sequence).limit(most))).all()
    if found:
        return [(row.sequence, PAYLOADS.validate_python(row.payload)) for row in found]
    old = await db.execute(
        select(models.CompactLog.entries, models.Message.content, models.Message.reasoning)
        .join(models.Message, models.Message.id == models.CompactLog.message_id)
        .where(models.Message.id == message_id)
    )
    end = None if most is None else after + most
    return [stored for row in old for stored in expanded(row.entries, row.content, row.reasoning or "")[after:end]]


def compacted(log: Sequence[events.LoggedEvent], content: str, reasoning: str) -> list[Any]:
    """A finished log as a short list. Text that is no part of the content (it was replaced) is kept as it is."""
    replaced, end = -1, 0
    for place, event in enumerate(log):
        if isinstance(event, events.ReplacedEvent):
            replaced, end = place, len(event.content)
    thought = 0
    entries: list[Any] = []
    for place, event in enumerate(log):
        if isinstance(event, events.DeltaEvent) and place > replaced and content.startswith(event.text, end):
            end += len(event.text)
            entries.append(end)
        elif isinstance(event, events.ReasoningEvent) and reasoning.startswith(event.text, thought):
            thought += len(event.text)
            entries.append([thought])
        else:
            entries.append(PAYLOADS.dump_python(event, mode="json"))
    return entries


def expanded(entries: Sequence[Any], content: str, reasoning: str) -> list[Stored]:
    """The log that `compacted` was given; only the uses of citations are left out, which the message has."""
    log: list[Stored] = []
    end = thought = 0
    for sequence, entry in enumerate(entries, 1):
        event: events.LoggedEvent
        if isinstance(entry, int):
            event, end = events.DeltaEvent(content[end:entry]), entry
        elif isinstance(entry, list):
            until = cast("int", entry[0])
            event, thought = events.ReasoningEvent(reasoning[thought:until]), until
        else:
            event = PAYLOADS.validate_python(entry)
            if isinstance(event, events.ReplacedEvent):
                end = len(event.content)
        log.append((sequence, event))
    return log


class Compaction:
    """Makes old logs short."""

    def __init__(self, database: Database, together: int = _TOGETHER) -> None:
        self._database = database
        self._together = together

    async def run(self) -> int:
        """Go through all logs that ended a while ago; how many became short. A damaged one is left for `check`."""
        done, after = 0, ""
        while ids := await self._logs(after):
            after = ids[-1]
            async with self._database.begin() as db:  # kill point: compact.committing, compact.next
                old = models.Message.completed_at < models.now() - _AGE
                # Another process may have made them short since they were looked for.
                long = exists().where(models.AnswerEvent.message_id == models.Message.id)
                final = select(models.Message).where(old, models.Message.status.not_in(RUNNING), long)
                for message in (await db.scalars(final.where(models.Message.id.in_(ids)))).all():
                    done += await _compact(db, message)
        return done

    async def _logs(self, after: str) -> list[str]:
        """The next ids of messages whose logs have rows; the short ones cost nothing here."""
        of_log = models.AnswerEvent.message_id
        async with self._database.read() as db:
            logs = select(of_log).distinct().where(of_log > after).order_by(of_log)
            return list(await db.scalars(logs.limit(self._together)))


async def _compact(db: AsyncSession, message: models.Message) -> bool:
    try:
        log = await read(db, message.id)
    except ValidationError:  # a damaged one must not keep the others from becoming short
        return False
    if [sequence for sequence, _ in log] != list(range(1, len(log) + 1)):
        return False
    entries = compacted([event for _, event in log], message.content, message.reasoning or "")
    # crash guard: compact.short
    await db.execute(insert(models.CompactLog).values(message_id=message.id, entries=entries))
    # kill point: compact.inserted
    await db.execute(delete(models.AnswerEvent).where(models.AnswerEvent.message_id == message.id))
    return True
