"""Read messages: pages of a session, alternatives, and the conversation that a model receives."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from sqlalchemy import CTE, Row, Select, and_, bindparam, func, literal, or_, select
from sqlalchemy.orm import Session, aliased

from app import errors
from app.chat.branches import tree
from app.database import models, pages
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.providers.base import PromptMessage
from app.statuses import ANSWERED, AnswerOutcome, MessageRole

Place = tuple[str, str | None]
"""(session id, id of the message before): where alternatives are."""

_MAX_HISTORY = 1000
_MAX_UNANSWERED, _MAX_UNANSWERED_CHARS = 8, 1000  # messages, and characters of each
# No context window holds more, and a thousand messages of a megabyte each would exhaust the server's memory.
_MAX_HISTORY_CHARS = 4_000_000
_ALL = select(models.Message)
_SHOWN = _ALL.where(models.Message.shown)
_TOTALS = (
    select(
        models.Message.project_id,
        func.count().filter(models.Message.role == MessageRole.USER),
        func.avg(models.Message.similarity),
    )
    .where(models.Message.project_id.in_(bindparam("projects", expanding=True)))
    .group_by(models.Message.project_id)
)


@dataclass(frozen=True, slots=True)
class QuestionTotals:
    """How many questions a project has, and the mean cosine between those that were searched and their passages."""

    questions: int = 0
    similarity: float | None = None


class Messages:
    """Reads messages, and selects the branch that a session shows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_messages(
        self, session_ids: Sequence[str], request: pages.PageRequest, *, all_branches: bool
    ) -> list[pages.Page[models.Message]]:
        """A page of messages per session, oldest first: those that are shown, or all."""
        statement, parent, keys = _ALL if all_branches else _SHOWN, models.Message.session_id, [models.Message.position]

        def read(db: Session) -> list[pages.Page[models.Message]]:
            current = _convert_old_cursors(db, request)
            return pages.fetch_page_per_parent(db, statement, parent, session_ids, keys, current)

        return await self._database.run_read(read)

    async def count_messages(self, session_ids: Sequence[str], *, all_branches: bool) -> list[int]:
        """The number of messages per session: of those that are shown, or of all."""
        statement, parent = _ALL if all_branches else _SHOWN, models.Message.session_id
        return await self._database.run_read(lambda db: pages.count_rows_per_parent(db, statement, parent, session_ids))

    async def by_ids(self, ids: Sequence[str]) -> list[models.Message | None]:
        """The messages with these ids, in order; None for each that does not exist."""
        return await self._database.run_read(lambda db: rows_by_ids(db, models.Message, ids))

    async def list_alternatives(self, places: Sequence[Place]) -> list[list[models.Message]]:
        """The messages at each of these places, oldest first."""
        message = models.Message
        firsts = [session_id for session_id, previous_id in places if previous_id is None]
        others = [previous_id for _, previous_id in places if previous_id is not None]
        here = or_(message.previous_id.in_(others), and_(message.previous_id.is_(None), message.session_id.in_(firsts)))
        statement = select(message).where(here).order_by(message.position)
        found: defaultdict[Place, list[models.Message]] = defaultdict(list)
        for row in await self._database.run_read(lambda db: db.scalars(statement).all()):
            found[row.session_id, row.previous_id].append(row)
        return [found[place] for place in places]

    async def question_totals(self, project_ids: Sequence[str]) -> list[QuestionTotals]:
        """For each project the totals of all its questions, by anybody."""
        rows = await self._database.run_read(lambda db: db.execute(_TOTALS, {"projects": project_ids}).all())
        found = {project_id: QuestionTotals(*totals) for project_id, *totals in rows}
        return [found.get(id, QuestionTotals()) for id in project_ids]

    async def select_branch(self, message_id: str) -> str:
        """Show a message, what is before it, and what was last shown after it; returns its session's id.

        Raises NotFound.
        """

        def write(db: Session) -> str:
            message = db.get(models.Message, message_id)
            if message is None:
                raise errors.NotFound("message", message_id)
            tree.show_message(db, message)
            return message.session_id  # kill point: select.committing

        return await self._database.run_write(write, Lock.TURNS)


def read_conversation(db: Session, last_id: str | None, content: str) -> tuple[PromptMessage, ...]:
    """The answered turns up to the message `last_id`, oldest first, followed by the question `content`.

    A turn without a usable answer (rejected, failed, cancelled) is left out completely: the model might repeat such
    an answer, and a question alone would break the alternation of questions and answers that models expect.
    """
    return _as_messages(_read_turns(db, last_id), content)


def read_conversation_and_refused(
    db: Session, last_id: str | None, content: str
) -> tuple[tuple[PromptMessage, ...], tuple[str, ...]]:
    """The conversation, and the beginnings of the last few questions refused since its last turn, oldest first.

    A follow-up may be about them, though their turns are left out of the conversation.
    """
    turns = _read_turns(db, last_id)
    if last_id is None or (turns and turns[-1].place == 1):
        return _as_messages(turns, content), ()
    found = db.connection().execute(_UNANSWERED, {"last": last_id})
    refused = takewhile(lambda turn: turn.outcome not in ANSWERED, found)
    return _as_messages(turns, content), tuple(reversed([turn.beginning for turn in refused]))


def _read_turns(db: Session, last_id: str | None) -> Sequence[Row[str, str, int]]:
    return db.connection().execute(_CONVERSATION, {"last": last_id}).all() if last_id else ()


def _as_messages(turns: Sequence[Row[str, str, int]], content: str) -> tuple[PromptMessage, ...]:
    messages: list[PromptMessage] = []
    for question, answer, _ in turns:
        messages += [PromptMessage("user", question), PromptMessage("assistant", answer)]
    return (*messages, PromptMessage("user", content))


def _select_path(length: int) -> CTE:
    """The `last` message and those before it, each with its place from there, counted from 1; at most `length`."""
    message = models.Message
    columns = (message.id, message.previous_id)
    last = select(*columns, literal(1).label("place")).where(message.id == bindparam("last"))
    path = last.cte("path", recursive=True)
    before = select(*columns, path.c.place + 1).join(path, path.c.previous_id == message.id)
    return path.union_all(before.where(path.c.place < length))


def _select_unanswered() -> Select[str, AnswerOutcome | None]:
    """The last few questions up to the `last` message with the outcomes of their answers, newest first."""
    answer, question, path = models.Message, aliased(models.Message), _select_path(_MAX_UNANSWERED)
    unanswered = select(func.substr(question.content, 1, _MAX_UNANSWERED_CHARS).label("beginning"), answer.outcome)
    unanswered = unanswered.join_from(path, answer, answer.id == path.c.id).join(
        question, question.id == answer.previous_id
    )
    return unanswered.where(answer.role == MessageRole.ASSISTANT).order_by(path.c.place)


def _select_conversation() -> Select[str, str, int]:
    """The answered questions up to the `last` message with their answers, oldest first, as many as the history allows.

    They are found by walking back from there, so that an answer gets its own conversation, whatever the session shows
    by then. The last column is the answer's place on this path, counted in messages from 1.
    """
    answer, question, path = models.Message, aliased(models.Message), _select_path(_MAX_HISTORY)
    length = func.length(question.content) + func.length(answer.content)
    turns = (
        select(path.c.place, answer.id, func.sum(length).over(order_by=path.c.place).label("so_far"))
        .join(answer, answer.id == path.c.id)
        .join(question, question.id == answer.previous_id)
        # No refusals: a model repeats what it reads.
        .where(answer.outcome.in_(ANSWERED), answer.content != "")
        .subquery()
    )
    fitting = select(question.content, answer.content, turns.c.place).join_from(turns, answer, answer.id == turns.c.id)
    return (
        fitting.join(question, question.id == answer.previous_id)
        .where(turns.c.so_far <= _MAX_HISTORY_CHARS)
        .order_by(turns.c.place.desc())
    )


_CONVERSATION, _UNANSWERED = _select_conversation(), _select_unanswered()


def _convert_old_cursors(db: Session, request: pages.PageRequest) -> pages.PageRequest:
    """Convert the cursors of version 0.1, which contain a message's id, to cursors that contain its position."""
    position: dict[str, str] = {}
    for name in ("after", "before"):
        cursor = getattr(request, name)
        old = pages.decode_single_key(cursor) if cursor is not None else None
        if isinstance(old, str):
            found = db.scalar(select(models.Message.position).where(models.Message.id == old))
            if found is not None:
                position[name] = pages.encode_cursor([found])
    return replace(request, **position)
