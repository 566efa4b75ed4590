"""Hebrew, Arabic and scripts of India and Southeast Asia: their words are whole, without points, and found in runs."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import context, op

from migrations import full_text_0007, full_text_0036
from migrations.full_text_0007 import CountedTerms

revision = "0036"
down_revision = "0035"

_CountTerms = Callable[[str, str], CountedTerms]

_AT_ONCE = 500
_LENGTH_MASK = 4095
_CHUNKS = sa.text(
    "SELECT chunks.id, chunks.project_id, totals.number, documents.title, chunks.heading, chunks.text FROM chunks "
    "JOIN documents ON documents.id = chunks.document_id "
    "JOIN keyword_totals AS totals ON totals.project_id = chunks.project_id "
    "WHERE chunks.id > :after ORDER BY chunks.id LIMIT :limit"
).columns(heading=sa.JSON())
_MESSAGES = sa.text(
    "SELECT kept.number AS id, users.number, messages.content FROM message_text_rows AS kept "
    "JOIN messages ON messages.id = kept.message_id JOIN chat_sessions ON chat_sessions.id = messages.session_id "
    "JOIN message_text_users AS users ON users.user_id = chat_sessions.created_by "
    "WHERE kept.number > :after ORDER BY kept.number LIMIT :limit"
)
_ADD_TO_TOTALS = sa.text("UPDATE keyword_totals SET terms = terms + :difference WHERE project_id = :project_id")

_FIND_ROW = sa.text("SELECT id FROM chunk_texts_docsize WHERE id BETWEEN :id << 12 AND :id << 12 | 4095")
_DELETE_ROW = sa.text("DELETE FROM chunk_texts WHERE rowid = :row")
_DELETE_MESSAGE = sa.text("DELETE FROM message_texts WHERE rowid = :id")
_ADD_MESSAGE = sa.text("INSERT INTO message_texts(rowid, terms) VALUES (:id, :terms)")

_FIND_LENGTH = sa.text("SELECT length FROM chunk_texts WHERE chunk_id = :id")
_SET_CHUNK = sa.text("UPDATE chunk_texts SET length = :length, terms = CAST(:terms AS text[]) WHERE chunk_id = :id")
_SET_MESSAGE = sa.text("UPDATE message_texts SET terms = CAST(:terms AS text[]) WHERE number = :id")

# What statements alone cannot do: the server reads the documents again, and adds the messages again.
_HAS_CHARACTERS = f"GLOB '*[{full_text_0036.CHARACTERS}]*'"
_AGAIN = (
    "UPDATE documents SET status = 'QUEUED', stage = NULL, progress = progress + 1, "  # noqa: S608 - constants
    "queued_at = strftime('%Y-%m-%d %H:%M:%f000', 'now') WHERE status = 'READY' "
    f"AND (title {_HAS_CHARACTERS} OR EXISTS (SELECT 1 FROM chunks WHERE document_id = documents.id "
    f"AND (text {_HAS_CHARACTERS} OR heading LIKE '%\\u%')))",
    "DELETE FROM message_text_rows WHERE message_id IN "  # noqa: S608
    f"(SELECT id FROM messages WHERE content {_HAS_CHARACTERS})",
    f"UPDATE messages SET searchable = 0 WHERE searchable AND content {_HAS_CHARACTERS}",  # noqa: S608
)


def upgrade() -> None:
    _index_again(full_text_0036.count_terms)


def downgrade() -> None:
    _index_again(full_text_0007.count_terms)


def _index_again(count_terms: _CountTerms) -> None:
    """Replace the terms of texts with such characters."""
    if context.is_offline_mode():
        for statement in _AGAIN:
            op.execute(statement)
        return
    is_on_server = op.get_bind().dialect.name == "postgresql"
    replace_chunk, replace_message = (_set_chunk, _set_message) if is_on_server else (_replace_row, _replace_message)
    differences = Counter[str]()
    for row in _affected(_CHUNKS, "title", "heading", "text"):
        counted = count_terms(_join_heading(row), row.text)
        differences[row.project_id] += replace_chunk(row, counted)
    for project_id, difference in differences.items():
        op.get_bind().execute(_ADD_TO_TOTALS, {"project_id": project_id, "difference": difference})
    for row in _affected(_MESSAGES, "content"):
        replace_message(row.id, [f"{row.number}x{term}" for term in count_terms("", row.content).counts])


def _affected(query: Any, *names: str) -> Iterator[sa.Row[Any]]:
    """The rows with such characters in one of these columns."""
    for rows in _batches(query):
        for row in rows:
            texts = (row._mapping[name] for name in names)
            if full_text_0036.is_affected(*(text if isinstance(text, str) else " ".join(text) for text in texts)):
                yield row


def _batches(query: Any) -> Iterator[Sequence[sa.Row[Any]]]:
    rows = op.get_bind().execute(query, {"after": 0, "limit": _AT_ONCE}).all()
    while rows:
        yield rows
        rows = op.get_bind().execute(query, {"after": rows[-1].id, "limit": _AT_ONCE}).all()


def _replace_row(row: sa.Row[Any], counted: CountedTerms) -> int:
    """Replace a chunk's terms in SQLite; returns by how many it is longer."""
    found = op.get_bind().execute(_FIND_ROW, {"id": row.id}).scalar()
    if found is None:  # `footnote check --repair` adds it
        return 0
    op.get_bind().execute(_DELETE_ROW, {"row": found})
    op.get_bind().execute(sa.text(full_text_0007.ADD_TEXT), full_text_0007.text_row(row.number, row.id, counted))
    return counted.length - (found & _LENGTH_MASK)


def _set_chunk(row: sa.Row[Any], counted: CountedTerms) -> int:
    """Replace a chunk's terms in PostgreSQL; returns by how many it is longer."""
    former = op.get_bind().execute(_FIND_LENGTH, {"id": row.id}).scalar()
    if former is None:
        return 0
    terms = full_text_0007.stored_terms(row.number, counted)
    op.get_bind().execute(_SET_CHUNK, {"id": row.id, "length": counted.length, "terms": terms})
    return counted.length - former


def _replace_message(id: int, terms: list[str]) -> None:
    op.get_bind().execute(_DELETE_MESSAGE, {"id": id})
    op.get_bind().execute(_ADD_MESSAGE, {"id": id, "terms": " ".join(terms)})


def _set_message(id: int, terms: list[str]) -> None:
    op.get_bind().execute(_SET_MESSAGE, {"id": id, "terms": terms})


def _join_heading(row: sa.Row[Any]) -> str:
    path = tuple(row.heading)
    return " > ".join((row.title, *(path[1:] if path[:1] == (row.title,) else path)))
