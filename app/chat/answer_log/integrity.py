"""Find and repair logs of finished answers that disagree with their messages."""

from collections.abc import Iterable
from functools import partial

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from app.chat.answer_log.compaction import PAYLOADS
from app.chat.answer_log.log import AnswerLog
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.rag import events
from app.statuses import RUNNING, MessageRole, MessageStatus

_BATCH_SIZE = 100


class LogIntegrityChecker:
    """Compares answers with their logs."""

    def __init__(self, database: Database, answer_log: AnswerLog) -> None:
        self._database = database
        self._answer_log = answer_log

    async def find_broken_logs(self) -> list[str]:
        """The ids of final answers whose logs have a gap, no last event, or a different text."""
        final = models.Message.status.not_in(RUNNING)
        answers = select(models.Message.id).where(models.Message.role == MessageRole.ASSISTANT, final)
        ids = await self._database.run_read(lambda db: list(db.scalars(answers.order_by(models.Message.id))))
        broken: list[str] = []
        for start in range(0, len(ids), _BATCH_SIZE):
            broken += await self._find_broken(ids[start : start + _BATCH_SIZE])
        return broken

    async def rewrite_logs(self, ids: Iterable[str]) -> None:
        """Rewrite the logs from the messages: the text as one piece, then the last event."""
        for message_id in ids:
            await self._database.run_write(partial(_rewrite_log, message_id), Lock.ANSWER_LOGS)

    async def _find_broken(self, ids: list[str]) -> list[str]:
        of_ids = select(models.Message.id, models.Message.content).where(models.Message.id.in_(ids))
        rows = await self._database.run_read(lambda db: db.execute(of_ids).all())
        contents = {row.id: row.content for row in rows}
        broken: list[str] = []
        for message_id, content in contents.items():
            tail = await self._answer_log.read_stored_log(message_id)
            is_complete = tail.is_gapless and bool(tail.entries) and tail.entries[-1].is_last
            if not is_complete or tail.content != content:
                broken.append(message_id)
        return broken


def _rewrite_log(message_id: str, db: Session) -> None:
    message = db.get_one(models.Message, message_id)
    rows = [
        {"message_id": message_id, "sequence": sequence, "payload": PAYLOADS.dump_python(event, mode="json")}
        for sequence, event in enumerate(_build_log(message), 1)
    ]
    for table in (models.AnswerEvent, models.CompactLog):
        db.execute(delete(table).where(table.message_id == message_id))
    db.execute(insert(models.AnswerEvent), rows)


def _build_log(message: models.Message) -> list[events.LoggedEvent]:
    log: list[events.LoggedEvent] = [events.DeltaEvent(message.content)] if message.content else []
    match message.status:
        case MessageStatus.COMPLETED:
            last = {
                "kind": "COMPLETED",
                "outcome": message.outcome,
                "finish_reason": message.finish_reason,
                "citations": message.citations or [],
                "usage": message.usage,
                "confidence": message.confidence,
                "reported_input_tokens": (message.budget or {}).get("reported_input_tokens"),
            }
        case MessageStatus.CANCELLED:
            last = {"kind": "CANCELLED"}
        case _:
            failure = message.failure or {"code": "INTERNAL", "message": "The log was damaged.", "retryable": True}
            last = {**failure, "kind": "FAILED"}
    return [*log, PAYLOADS.validate_python(last)]
