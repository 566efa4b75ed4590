"""Check that messages are found by their words, and add those again that are not."""

from collections.abc import Sequence
from functools import partial
from typing import cast

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from app.chat.message_search.search import MessageSearch
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.knowledge.index import terms
from app.knowledge.index.scored_texts import MessageIndex
from app.statuses import RUNNING

# Messages per transaction.
_BATCH_SIZE = 200


class MessageIntegrityChecker:
    """Looks up each message by its own words. Those that still wait to be indexed are left out."""

    def __init__(self, database: Database, index: MessageIndex, search: MessageSearch) -> None:
        self._database = database
        self._index = index
        self._search = search

    async def find_lost_messages(self) -> list[str]:
        """The ids of messages that searches for their words miss, or that never could be added."""
        lost: list[str] = []
        after: str | None = ""
        while after is not None:
            found, after = await self._database.run_read(partial(self._check_batch, after), slow=True)
            lost += found
        return lost

    async def repair_messages(self, ids: Sequence[str]) -> None:
        """Add these messages again."""
        for start in range(0, len(ids), _BATCH_SIZE):
            forget = partial(_forget_messages, ids[start : start + _BATCH_SIZE])
            await self._database.run_write(forget, Lock.MESSAGE_TEXTS)
            await self._search.index_waiting()

    def _check_batch(self, after: str, db: Session) -> tuple[list[str], str | None]:
        """The lost messages of the next batch, and the id of the last message of the batch."""
        message, text_row, user = models.Message, models.MessageTextRow, models.MessageTextUser
        rows = db.execute(
            select(message.id, message.content, message.searchable, text_row.number, user.user_id, user.number)
            .join(models.ChatSession, models.ChatSession.id == message.session_id)
            .outerjoin(text_row, text_row.message_id == message.id)
            .outerjoin(user, user.user_id == models.ChatSession.created_by)
            .where(message.id > after, message.status.not_in(RUNNING))
            .order_by(message.id)
            .limit(_BATCH_SIZE)
        ).all()
        lost: list[str] = []
        for row in rows:
            id, content, is_searchable, _, user_id, _ = row
            # None where nothing was joined.
            number, user_number = cast("int | None", row[3]), cast("int | None", row[5])
            if not is_searchable:
                if number is not None:
                    lost.append(id)
            elif number is None or user_number is None:
                lost.append(id)
            elif terms.query_terms(content):
                found = self._index.find_messages(
                    db, user_id, user_number, content, project_id=None, member_id=None, before=number + 1, limit=1
                )
                if found != [(number, id)]:
                    lost.append(id)
        return lost, rows[-1][0] if rows else None


def _forget_messages(ids: Sequence[str], db: Session) -> None:
    db.execute(delete(models.MessageTextRow).where(models.MessageTextRow.message_id.in_(ids)))
    forgotten = update(models.Message).where(models.Message.id.in_(ids)).values(searchable=False)
    db.execute(forgotten.execution_options(synchronize_session=False))
