"""Split a conversation into system texts, earlier turns and the question, and render earlier turns. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from app import errors
from app.providers.base import PromptMessage
from app.rag.citations import escaping

NO_QUESTION = "There must be a user prompt since the latest assistant message."
_EARLIER_TURNS = 4  # how far back a series of follow-ups may refer


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as system texts, complete earlier turns (oldest first), and the question."""

    system: tuple[str, ...]
    turns: tuple[tuple[PromptMessage, ...], ...]
    question: str
    recent_questions: str | None = None
    """The last two user turns before the question, as one text; None in a first turn."""
    earlier_questions: tuple[str, ...] = ()
    """The last questions before this one, whether they were answered or refused, oldest first."""


def read_conversation(messages: Sequence[PromptMessage], unanswered: Sequence[str] = ()) -> Conversation:
    """Split a conversation; the question is all user messages after the last answer, joined by a blank line.

    A turn lasts from its first user message to the next turn. `unanswered` questions came after the last answer, and
    are in no turn. Raises Invalid without a question.
    """
    spoken = [message for message in messages if message.role in ("user", "assistant")]
    last_answer = max((i for i, message in enumerate(spoken) if message.role == "assistant"), default=-1)
    question = "\n\n".join(message.content for message in spoken[last_answer + 1 :]).strip()
    if not question:
        raise errors.Invalid.at("messages", "REQUIRED", NO_QUESTION)
    turns: list[list[PromptMessage]] = []
    for i, message in enumerate(spoken[: last_answer + 1]):
        begins = message.role == "user" and (i == 0 or spoken[i - 1].role == "assistant")
        if begins or not turns:
            turns.append([])
        turns[-1].append(message)
    system = tuple(message.content for message in messages if message.role in ("system", "developer"))
    recent = [message.content for turn in turns[-2:] for message in turn if message.role == "user"]
    answered = [message.content for turn in turns[-_EARLIER_TURNS:] for message in turn if message.role == "user"]
    earlier = (*answered, *unanswered)[-_EARLIER_TURNS:]
    return Conversation(system, tuple(map(tuple, turns)), question, "\n\n".join(recent) or None, earlier)


def render_turn(turn: Sequence[PromptMessage], *, to_cite: bool = True) -> tuple[PromptMessage, ...]:
    """Render a turn of the history: markers of answers removed; users' bracketed numbers escaped if `to_cite`."""
    return tuple(
        PromptMessage(
            message.role,
            escaping.strip_markers(message.content)
            if message.role == "assistant"
            else escaping.escape_markers(message.content)
            if to_cite
            else message.content,
        )
        for message in turn
    )
