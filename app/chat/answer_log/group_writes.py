"""Write the events of several answers, and the changes to their messages, in one transaction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from app.chat.analytics.turns import responses_generated
from app.chat.answer_log.compaction import PAYLOADS
from app.chat.answer_log.log_entries import RunningLog
from app.chat.branches import tree
from app.chat.quote_erasure import erase_pending
from app.database import models
from app.database.locks import Lock
from app.database.rows import insert_stored, is_one_of
from app.events.outbox import Outbox
from app.rag import events
from app.statuses import RUNNING, MessageStatus

_STILL_RUNNING = (
    select(models.Message.id, models.PendingErasure.message_id)
    .outerjoin(models.PendingErasure, models.PendingErasure.message_id == models.Message.id)
    .where(is_one_of(models.Message.id, "ids"), models.Message.status.in_(RUNNING))
)
"""Which answers are running, and which of these contain words that are to be erased."""
_STORED = (
    select(models.AnswerEvent.message_id, func.max(models.AnswerEvent.sequence))
    .where(is_one_of(models.AnswerEvent.message_id, "ids"))
    .group_by(models.AnswerEvent.message_id)
)
_INSERT_EVENTS = insert(models.AnswerEvent)
# Built once: building a statement takes longer than running it. Its columns are those of the parameters.
_UPDATE_MESSAGES = update(models.Message).where(models.Message.id == bindparam("changed_id"))


def write_group(
    group: Mapping[RunningLog, Sequence[events.LoggedEvent]],
    finals: Mapping[RunningLog, dict[str, Any] | None],
    outbox: Outbox,
    db: Session,
) -> set[str]:
    """Write events, and the final values of answers that end with them.

    Returns the ids of the messages that are still running; events of the others are dropped. Events that an earlier
    write has stored, although it seemed to fail, are not written again.
    """
    connection = db.connection()
    # Answers that were deleted, or ended by another process, are no longer written.
    found = connection.execute(_STILL_RUNNING, {"ids": [running.message_id for running in group]}).all()
    running_ids, to_erase = {row[0] for row in found}, {row[1] for row in found}
    stored = _read_stored(connection, [running.message_id for running in group if running.possibly_stored])
    rows: list[tuple[str, int, str]] = []
    first_writes: list[str] = []
    for running, new_events in group.items():
        if running.message_id in running_ids:
            # crash guard: journal.numbering
            numbered = enumerate(new_events, running.tail.length + 1)
            rows += _build_rows(running.message_id, numbered, after=stored.get(running.message_id, 0))
            final = finals[running]
            if final is not None:  # crash guard: journal.final
                _update_messages(connection, [running.message_id], final)
            # crash guard: again.whole
            if _becomes_current(running, final):
                # kill point: again.final
                tree.make_current(db, running.message_id)
            if final is None and not running.is_started:
                first_writes.append(running.message_id)
    if first_writes:
        _update_messages(connection, first_writes, {"status": MessageStatus.STREAMING})
    if rows:
        insert_stored(connection, _INSERT_EVENTS, rows)  # kill point: journal.inserting
    ended = {log.message_id: final for log, final in finals.items() if final and log.message_id in running_ids}
    erase_pending(db, sorted(ended.keys() & to_erase))
    outbox.write_events(db, responses_generated(db, ended) if outbox.is_on else ())
    return running_ids  # kill point: journal.committing, journal.ending, again.replacing


def find_locks(finals: Mapping[RunningLog, dict[str, Any] | None]) -> Sequence[Lock]:
    """The locks that are needed to write a group with these final values."""
    changes_tree = any(_becomes_current(running, final) for running, final in finals.items())
    return (Lock.TURNS, Lock.ANSWER_LOGS) if changes_tree else (Lock.ANSWER_LOGS,)


def _becomes_current(running: RunningLog, final: Mapping[str, Any] | None) -> bool:
    """Whether an answer is complete and becomes the current one."""
    return final is not None and final["status"] == MessageStatus.COMPLETED and running.replaces


def _build_rows(
    message_id: str, numbered: Iterable[tuple[int, events.LoggedEvent]], *, after: int
) -> Iterator[tuple[str, int, str]]:
    """The rows of the events whose sequence numbers are greater than `after`."""
    for sequence, event in numbered:
        if sequence > after:
            yield message_id, sequence, PAYLOADS.dump_json(event, ensure_ascii=True).decode()


def _read_stored(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The last sequence numbers of these logs in the database."""
    return {row[0]: row[1] for row in connection.execute(_STORED, {"ids": ids})} if ids else {}


def _update_messages(connection: Connection, ids: Sequence[str], values: dict[str, Any]) -> None:
    # kill point: journal.updating
    connection.execute(_UPDATE_MESSAGES, [{"changed_id": id, **values} for id in ids])
