"""Search in one's own messages, newest first.

Messages are added to the full-text index in the background, so that turns are not slowed down; a search first adds
those of its user that are still waiting.
"""

import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session

from app import errors
from app.database import models, pages
from app.database.locks import Lock
from app.database.protocol import Database
from app.database.rows import rows_by_ids
from app.database.tables.messages import NOT_SEARCHABLE
from app.knowledge.index import terms
from app.knowledge.index.scored_texts import MessageIndex
from app.knowledge.search.highlights import Highlighter
from app.language import Span
from app.statuses import RUNNING

log = logging.getLogger(__name__)

MAX_QUERY = 1000
# Messages per transaction, and transactions at a time: after an upgrade there may be many.
_BATCH_SIZE = 100
_MAX_BATCHES = 50
_SNIPPET_CHARS = 240
_CHARS_BEFORE_WORD = 60


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message that has all words of a query: a part of its content, and where that matches the query.

    `span` is where the snippet stands in the content; `highlights` are spans of the snippet.
    """

    row: models.Message
    snippet: str
    span: Span
    highlights: Sequence[Span]


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A message that is not indexed yet, with its terms."""

    id: str
    user_id: str
    terms: Sequence[str]


class MessageSearch:
    """Keeps the full text of messages, and searches it."""

    def __init__(self, database: Database, index: MessageIndex) -> None:
        self._database = database
        self._index = index

    async def index_waiting(self) -> None:
        """Add messages to the full text, in small transactions."""
        for _ in range(_MAX_BATCHES):
            if not await self._index_some(_select_waiting()):
                return

    async def search(
        self, user_id: str, query: str, project_id: str | None, request: pages.PageRequest, seen_by: str | None
    ) -> pages.Page[FoundMessage]:
        """A page of the user's messages that have all words of `query`: the first after a cursor, newest first."""
        with suppress(errors.Unavailable):  # then the messages indexed so far are searched
            await self._index_some(_select_waiting_of_user(user_id))
        size, before = request.size(), _decode_cursor(request.after)

        def read(db: Session) -> tuple[list[tuple[int, str]], list[FoundMessage]]:
            of_user = models.MessageTextUser.user_id == user_id
            number = db.scalar(select(models.MessageTextUser.number).where(of_user))
            if number is None:
                return [], []
            found = self._index.find_messages(
                db, user_id, number, query, project_id=project_id, member_id=seen_by, before=before, limit=size + 1
            )
            rows = rows_by_ids(db, models.Message, [id for _, id in found[:size]])
            highlighter = Highlighter(query)
            return found, [_cut_snippet(row, highlighter) for row in rows if row is not None]

        found, shown = await self._database.run_read(read, slow=True)
        cursors = [pages.encode_cursor([number]) for number, _ in found[:size]]
        return pages.Page(shown, cursors, has_next=len(found) > size, has_previous=before is not None)

    async def _index_some(self, waiting: Select[str, str, str]) -> bool:
        """Add some of these messages; returns whether there were any."""
        found = await self._database.run_read(lambda db: _read_terms(db, waiting), slow=True)
        if found:
            await self._database.run_write(lambda db: self._write_terms(db, found), Lock.MESSAGE_TEXTS)
        return bool(found)

    def _write_terms(self, db: Session, found: Sequence[_Waiting]) -> None:
        message = models.Message
        ids = [each.id for each in found]
        still_waiting = set(db.scalars(select(message.id).where(message.id.in_(ids), ~message.searchable)))
        rows = {each.id: models.MessageTextRow(message_id=each.id) for each in found if each.id in still_waiting}
        db.add_all(rows.values())
        db.flush()
        of_users = defaultdict[str, list[tuple[int, Sequence[str]]]](list)
        for each in found:
            if each.id in rows:
                of_users[each.user_id].append((rows[each.id].number, each.terms))
        for user_id, texts in of_users.items():
            self._index.add_texts(db, _user_number(db, user_id), texts)
        db.execute(update(message).where(message.id.in_(still_waiting)).values(searchable=True))


def _select_waiting() -> Select[str, str, str]:
    """Complete messages that are not in the full text, oldest first: id, content, and whose session it is."""
    message, session = models.Message, models.ChatSession
    return (
        select(message.id, message.content, session.created_by)
        .join(session, session.id == message.session_id)
        .where(NOT_SEARCHABLE, message.status.not_in(RUNNING))
        .order_by(message.id)
        .limit(_BATCH_SIZE)
    )


def _select_waiting_of_user(user_id: str) -> Select[str, str, str]:
    """The waiting messages of a user. Starts from all that wait, because they are fewer than a user's messages."""
    waiting = select(models.Message.id).where(NOT_SEARCHABLE)
    return _select_waiting().where(models.Message.id.in_(waiting), models.ChatSession.created_by == user_id)


def _read_terms(db: Session, waiting: Select[str, str, str]) -> list[_Waiting]:
    rows = db.execute(waiting).all()
    return [_Waiting(id, user_id, tuple(terms.count_terms("", content).counts)) for id, content, user_id in rows]


def _user_number(db: Session, user_id: str) -> int:
    of_user = models.MessageTextUser.user_id == user_id
    row = db.scalar(select(models.MessageTextUser).where(of_user))
    if row is None:
        row = models.MessageTextUser(user_id=user_id)
        db.add(row)
        db.flush()
    return row.number


def _decode_cursor(cursor: str | None) -> int | None:
    """The number in a cursor. Raises BadUserInput if it is not a cursor of a search."""
    if cursor is None:
        return None
    number = pages.decode_single_key(cursor)
    if type(number) is not int or not 0 < number < 2**63:
        raise errors.BadUserInput("after", "`after` is not a cursor of this list.")
    return number


def _cut_snippet(row: models.Message, highlighter: Highlighter) -> FoundMessage:
    """The part of a message around the first word that matches the query, or else its beginning."""
    text = row.content
    first = highlighter.find_first(text)
    start = max(0, first[0] - _CHARS_BEFORE_WORD) if first else 0
    if start:  # begin with a whole word, if one begins soon
        space = text.find(" ", start, first[0] if first else start)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + _SNIPPET_CHARS)
    if end < len(text):
        space = text.rfind(" ", max(start, end - _CHARS_BEFORE_WORD), end)
        end = space if space > (first[1] if first else start) else end
    snippet = text[start:end]
    return FoundMessage(row, snippet, (start, end), highlighter.find_spans(snippet))
