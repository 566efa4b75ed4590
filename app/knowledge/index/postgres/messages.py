"""The full text of messages in PostgreSQL: a table with the terms of each message, and an inverted index of them.

Each term is stored with the number of the user whose message it is as a prefix (`17xfox`): what others wrote is never
read.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import text
from sqlalchemy.orm import Session

from app.knowledge.index import terms
from app.knowledge.index.protocol import MessageIndex
from app.knowledge.index.scored_texts import term_prefix

_ADD = text("INSERT INTO message_texts(number, terms) VALUES (:number, CAST(:terms AS text[]))")
_FIND = text(
    "SELECT found.number, messages.id AS message_id FROM message_texts AS found "
    "JOIN message_text_rows AS kept ON kept.number = found.number JOIN messages ON messages.id = kept.message_id "
    "JOIN chat_sessions ON chat_sessions.id = messages.session_id "
    "WHERE found.terms @> CAST(:terms AS text[]) AND found.number < CAST(:before AS bigint) "
    "AND chat_sessions.created_by = :user_id "
    "AND (CAST(:project_id AS text) IS NULL OR messages.project_id = :project_id) "
    "AND (CAST(:member_id AS text) IS NULL OR EXISTS (SELECT 1 FROM project_members AS member "
    "WHERE member.project_id = messages.project_id AND member.user_id = :member_id)) "
    "ORDER BY found.number DESC LIMIT CAST(:limit AS bigint)"
)
_NEWEST = 2**63 - 1


class PostgresMessageIndex(MessageIndex):
    """Adds the terms of messages, and finds messages that have all terms of a query."""

    def add_texts(self, db: Session, user_number: int, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
        """Insert rows of prefixed terms."""
        prefix = term_prefix(user_number)
        values = [{"number": number, "terms": [prefix + term for term in of_row]} for number, of_row in rows]
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
        """Read the messages that have all terms, and the newest of them."""
        wanted = terms.query_terms(query)
        if not wanted:
            return []
        prefix = term_prefix(user_number)
        values = {
            "terms": [prefix + term for term in wanted],
            "before": _NEWEST if before is None else before,
            "user_id": user_id,
            "project_id": project_id,
            "member_id": member_id,
            "limit": limit,
        }
        return [(row.number, row.message_id) for row in db.connection().execute(_FIND, values)]
