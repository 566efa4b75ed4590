"""Write the events of several answers, and what they change of their messages, in one transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.orm import Session

from app.chat.answer_log.compaction import PAYLOADS
from app.chat.answer_log.log_entries import RunningLog
from app.chat.branches import tree
from app.database import models
from app.rag import events
from app.statuses import RUNNING, MessageStatus

_STILL_RUNNING = select(models.Message.id).where(
    models.Message.id.in_(bindparam("ids", expanding=True)), models.Message.status.in_(RUNNING)
)
_INSERT_EVENTS = insert(models.AnswerEvent)
# Built once: building a statement takes longer than running it. Its columns are those of the parameters.
_UPDATE_MESSAGES = update(models.Message).where(models.Message.id == bindparam("changed_id"))


def write_group(
    group: Mapping[RunningLog, Sequence[events.LoggedEvent]],
    finals: Mapping[RunningLog, dict[str, Any] | None],
    db: Session,
) -> set[str]:
    """Write events, and the final values of answers that end with them.

    Returns the ids of the messages that are still running; events of the others are dropped.
    """
    connection = db.connection()
    ids = [running.message_id for running in group]
    # Answers that were deleted, or ended by another process, are no longer written.
    there = set(connection.execute(_STILL_RUNNING, {"ids": ids}).scalars())
    rows: list[dict[str, Any]] = []
    begun: list[str] = []
    for running, happened in group.items():
        if running.message_id in there:
            # crash guard: journal.numbering
            for sequence, event in enumerate(happened, running.tail.length + 1):
                payload = PAYLOADS.dump_python(event, mode="json")
                rows.append({"message_id": running.message_id, "sequence": sequence, "payload": payload})
            final = finals[running]
            if final is not None:  # crash guard: journal.final
                _update_messages(connection, [running.message_id], final)
            # crash guard: again.whole
            if final is not None and final["status"] == MessageStatus.COMPLETED and running.replaces:
                # kill point: again.final
                tree.make_current(db, running.message_id)
            if final is None and not running.started:
                begun.append(running.message_id)
    if begun:
        _update_messages(connection, begun, {"status": MessageStatus.STREAMING})
    if rows:
        connection.execute(_INSERT_EVENTS, rows)  # kill point: journal.inserting
    return there  # kill point: journal.committing, journal.ending, again.replacing


def _update_messages(connection: Connection, ids: Sequence[str], values: dict[str, Any]) -> None:
    # kill point: journal.updating
    connection.execute(_UPDATE_MESSAGES, [{"changed_id": id, **values} for id in ids])
