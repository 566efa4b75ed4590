"""Find and repair chat sessions in which what is shown disagrees with what is current."""

from collections.abc import Iterable
from functools import partial

from sqlalchemy import Function, and_, case, func, select, true, update
from sqlalchemy.orm import Session, aliased

from app.chat.branches import tree
from app.database import models
from app.database.locks import Lock
from app.database.protocol import Database
from app.statuses import MessageStatus


class BranchIntegrityChecker:
    """Compares the flags `current` and `shown` of messages."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_broken_sessions(self) -> list[str]:
        """The ids of sessions in which a place has no current message, or what is shown is not what is current."""
        message, previous = models.Message, aliased(models.Message)
        place = (message.session_id, message.previous_id)
        empty = select(message.session_id).group_by(*place).having(_count_current() == 0)
        is_shown = and_(message.current, func.coalesce(previous.shown, true()))
        wrong = (
            select(message.session_id)
            .outerjoin(previous, previous.id == message.previous_id)
            .where(message.shown != is_shown)
        )
        return await self._database.run_read(lambda db: sorted(db.scalars(empty.union(wrong))))

    async def repair_sessions(self, ids: Iterable[str]) -> None:
        """Make the newest complete message current where none is, and show what is current."""
        for session_id in ids:
            await self._database.run_write(partial(_repair_session, session_id), Lock.TURNS)


def _count_current() -> Function[int]:
    return func.sum(case((models.Message.current, 1), else_=0))


def _repair_session(session_id: str, db: Session) -> None:
    message = models.Message
    is_complete = message.status == MessageStatus.COMPLETED
    ranked = (
        select(
            message.id,
            func.row_number().over(
                partition_by=message.previous_id, order_by=(is_complete.desc(), message.position.desc())
            ),
            _count_current().over(partition_by=message.previous_id),
        )
        .where(message.session_id == session_id)
        .subquery()
    )
    _, place, number_current = ranked.c
    chosen = select(ranked.c.id).where(place == 1, number_current == 0)
    db.execute(
        update(message).where(message.id.in_(chosen)).values(current=True).execution_options(synchronize_session=False)
    )
    tree.show_current(db, session_id)
