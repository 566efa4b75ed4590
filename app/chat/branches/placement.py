"""Where a question goes: to the end of the branch that its session shows, or to a place that the sender names."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from app import errors
from app.chat.branches import tree
from app.database import models
from app.statuses import MessageRole


@dataclass(frozen=True, slots=True)
class Placement:
    """The question to edit, or the answer to follow; without either, the end of the branch that is shown."""

    edited_message_id: str | None = None
    previous_message_id: str | None = None


AT_THE_END = Placement()


@dataclass(frozen=True, slots=True)
class Fork:
    """A place that the sender has named: after `previous`, or at the start."""

    previous: models.Message | None

    @property
    def previous_id(self) -> str | None:
        """The id of the message before."""
        return self.previous.id if self.previous else None


def find_fork(db: Session, session_id: str, placement: Placement) -> Fork | None:
    """The place that the sender has named, if any. Raises NotFound or Invalid."""
    edited, previous = placement.edited_message_id, placement.previous_message_id
    if edited is not None and previous is not None:
        both = "Pass `editedMessageId` or `previousMessageId`, not both."
        raise errors.Invalid.at("previousMessageId", "INVALID", both)
    if edited is not None:
        question = _require_message(db, session_id, edited)
        if question.role != MessageRole.USER:
            raise errors.Invalid.at("editedMessageId", "INVALID", "Only a question can be edited; this is an answer.")
        return Fork(db.get(models.Message, question.previous_id) if question.previous_id else None)
    if previous is not None:
        answer = _require_message(db, session_id, previous)
        if answer.role != MessageRole.ASSISTANT:
            message = "A question can only follow an answer; this is a question."
            raise errors.Invalid.at("previousMessageId", "INVALID", message)
        return Fork(answer)
    return None


def find_previous_id(db: Session, session_id: str, placement: Placement) -> str | None:
    """The id of the message that a question follows there, if any. Raises NotFound or Invalid."""
    fork = find_fork(db, session_id, placement)
    if fork is not None:
        return fork.previous_id
    return db.scalar(tree.SELECT_LAST_SHOWN, {"session": session_id})


def _require_message(db: Session, session_id: str, message_id: str) -> models.Message:
    message = db.get(models.Message, message_id)
    if message is None or message.session_id != session_id:
        raise errors.NotFound("message", message_id)
    return message
