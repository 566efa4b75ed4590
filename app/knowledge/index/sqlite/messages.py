"""The full text of messages in SQLite: an FTS5 table of terms.

Each term is stored with the number of the user whose message it is as a prefix (`17xfox`): what others wrote is never
read. The newest messages come first, and no scores are computed, so a page costs what it shows.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import text
from sqlalchemy.orm import Session

from app.knowledge.index import terms
from app.knowledge.index.protocol import MessageIndex
from app.knowledge.index.scored_texts import term_prefix

_ADD = text("INSERT INTO message_texts(rowid, terms) VALUES (:number, :terms)")
# CROSS JOIN: from the full text to the messages, so that the order of the full text is that of the result.
_FIND = text(
    "SELECT message_texts.rowid AS number, message_id FROM message_texts "
    "CROSS JOIN message_text_rows AS kept ON kept.number = message_texts.rowid "
    "CROSS JOIN messages ON messages.id = message_id "
    "CROSS JOIN chat_sessions ON chat_sessions.id = messages.session_id "
    "WHERE message_texts MATCH :terms AND message_texts.rowid < :before AND chat_sessions.created_by = :user_id "
    "AND (:project_id IS NULL OR messages.project_id = :project_id) "
    "AND (:member_id IS NULL OR EXISTS (SELECT 1 FROM project_members AS member "
    "WHERE member.project_id = messages.project_id AND member.user_id = :member_id)) "
    "ORDER BY message_texts.rowid DESC LIMIT :limit"
)
_NEWEST = 2**63 - 1


class SQLiteMessageIndex(MessageIndex):
    """Adds the terms of messages, and finds messages that have all terms of a query."""

    def add_texts(self, db: Session, user_number: int, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Insert rows of prefixed terms."""
        prefix = term_prefix(user_number)
        values = [{"number": number, "terms": " ".join(prefix + term for term in of_row)} for number, of_row in rows]
        if values:
            db.connection().execute(_ADD, values)

    def find_messages(
        self,
        db: Session,
        user_id: str,
        user_number: int,
        query: str,
        *,
        project_id: str | None,
        member_id: str | None,
        before: int | None,
        limit: int,
    ) -> list[tuple[int, str]]:
        """Read rows in the order of their numbers, until there are enough."""
        wanted = terms.query_terms(query)
        if not wanted:
            return []
        prefix = term_prefix(user_number)
        values = {
            "terms": " ".join(f'"{prefix}{term}"' for term in wanted),
            "before": _NEWEST if before is None else before,
            "user_id": user_id,
            "project_id": project_id,
            "member_id": member_id,
            "limit": limit,
        }
        return [(row.number, row.message_id) for row in db.connection().execute(_FIND, values)]
