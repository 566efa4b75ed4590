"""The full-text index of messages in PostgreSQL: a table with each message's terms, and a GIN index on them."""

from sqlalchemy import text

from app.knowledge.index.scored_texts import MessageIndex

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


def open_message_index() -> MessageIndex:
    """The index of messages in PostgreSQL."""
    return MessageIndex(_ADD, _FIND, to_stored=list, to_wanted=list)
