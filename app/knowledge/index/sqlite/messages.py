"""The full-text index of messages in SQLite: an FTS5 table of terms."""

from sqlalchemy import text

from app.knowledge.index.scored_texts import MessageIndex

_ADD = text("INSERT INTO message_texts(rowid, terms) VALUES (:number, :terms)")
# CROSS JOIN fixes the join order: results come in the order of the full-text index.
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


def open_message_index() -> MessageIndex:
    """The index of messages in SQLite. FTS5 queries need quotation marks around terms."""
    return MessageIndex(
        _ADD, _FIND, to_stored=" ".join, to_wanted=lambda terms: " ".join(f'"{term}"' for term in terms)
    )
