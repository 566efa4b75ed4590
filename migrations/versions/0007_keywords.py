"""Keywords: full text and its counts by project; room for several embedding spaces of one length."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import context, op

from migrations import full_text_0007 as full_text
from migrations import losses

revision = "0007"
down_revision = "0006"

_AT_ONCE = 500
_CHUNKS = sa.text(
    "SELECT chunks.id, chunks.project_id, documents.title, chunks.heading, chunks.text FROM chunks "
    "JOIN documents ON documents.id = chunks.document_id WHERE chunks.id > :after ORDER BY chunks.id LIMIT :limit"
)
# What statements alone cannot do: the server reads the documents again.
_AGAIN = (
    "UPDATE documents SET status = 'QUEUED', stage = NULL, progress = progress + 1, "
    "queued_at = strftime('%Y-%m-%d %H:%M:%f000', 'now') WHERE status = 'READY' AND {which}"
)


def upgrade() -> None:
    op.create_table(
        "keyword_totals",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("chunks", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_keyword_totals_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_keyword_totals")),
        sa.UniqueConstraint("project_id", name=op.f("uq_keyword_totals_project_id")),
        sqlite_autoincrement=True,
    )
    op.add_column("embedding_spaces", sa.Column("number", sa.Integer(), server_default="0", nullable=False))
    op.create_index("uq_embedding_spaces_project_id_number", "embedding_spaces", ["project_id", "number"], unique=True)
    op.execute("DROP TABLE chunk_terms")
    op.execute("DROP TABLE chunk_texts")
    op.execute(
        "CREATE VIRTUAL TABLE chunk_texts USING fts5(n1, n2, n3, n4, n5, n6, n8, n11, n16, content='', "
        "contentless_delete=1, detail=column, tokenize='ascii')"
    )
    op.execute("CREATE VIRTUAL TABLE chunk_terms USING fts5vocab(chunk_texts, row)")
    op.execute("CREATE VIRTUAL TABLE chunk_postings USING fts5vocab(chunk_texts, instance)")
    if context.is_offline_mode():
        op.execute(_AGAIN.format(which="1"))
        return
    for rows in _chunks():
        _add_texts(rows)


def downgrade() -> None:
    losses.refuse({"embedding spaces beside the first": "SELECT id FROM embedding_spaces WHERE number > 0"})
    for table in ("chunk_postings", "chunk_terms", "chunk_texts"):
        op.execute(f"DROP TABLE {table}")
    op.execute(
        "CREATE VIRTUAL TABLE chunk_texts USING fts5(project, heading, text, content='', contentless_delete=1, "
        "tokenize='porter unicode61 remove_diacritics 2')"
    )
    op.execute("CREATE VIRTUAL TABLE chunk_terms USING fts5vocab(chunk_texts, row)")
    # The background of that version, see the first migration.
    op.execute(
        "WITH RECURSIVE row(id) AS (SELECT -1 UNION ALL SELECT id - 1 FROM row WHERE id > -1000) "
        "INSERT INTO chunk_texts(rowid, project, heading, text) "
        "SELECT id, '', '', CASE id WHEN -1 THEN replace(hex(zeroblob(100000)), '00', 'x x ') ELSE '' END FROM row"
    )
    _forget_later_spaces()
    op.drop_index("uq_embedding_spaces_project_id_number", "embedding_spaces")
    op.drop_column("embedding_spaces", "number")
    op.drop_table("keyword_totals")
    if context.is_offline_mode():
        op.execute(_AGAIN.format(which="1"))
        return
    insert = sa.text("INSERT INTO chunk_texts(rowid, project, heading, text) VALUES (:id, :project, :heading, :text)")
    for rows in _chunks():
        values = [
            {
                "id": row.id,
                "project": row.project_id,
                "heading": full_text.with_pairs(_heading(row)),
                "text": full_text.with_pairs(row.text),
            }
            for row in rows
        ]
        op.get_bind().execute(insert, values)


def _forget_later_spaces() -> None:
    """Their vectors, too; documents that are left without any are read again."""
    if not context.is_offline_mode():
        vectors = "SELECT name FROM sqlite_master WHERE name LIKE 'chunk_vectors_%' AND sql LIKE 'CREATE VIRTUAL%'"
        for table in op.get_bind().execute(sa.text(vectors)).scalars().all():
            op.execute(f"DELETE FROM {table} WHERE rowid >= 1 << 48")  # noqa: S608
    op.execute("DELETE FROM embedding_spaces WHERE number > 0")
    active = "SELECT project_id FROM embedding_spaces WHERE state = 'ACTIVE'"
    op.execute(_AGAIN.format(which=f"project_id NOT IN ({active})"))


def _chunks() -> Iterator[Sequence[sa.Row[Any]]]:
    """All chunks, some at a time."""
    rows = op.get_bind().execute(_CHUNKS, {"after": 0, "limit": _AT_ONCE}).all()
    while rows:
        yield rows
        rows = op.get_bind().execute(_CHUNKS, {"after": rows[-1].id, "limit": _AT_ONCE}).all()


def _add_texts(rows: Sequence[sa.Row[Any]]) -> None:
    by_project: dict[str, list[tuple[int, full_text.CountedTerms]]] = {}
    for row in rows:
        counted = full_text.count_terms(_heading(row), row.text)
        by_project.setdefault(row.project_id, []).append((row.id, counted))
    for project_id, chunks in by_project.items():
        totals = {"project_id": project_id, "chunks": len(chunks), "terms": sum(each.length for _, each in chunks)}
        number = op.get_bind().execute(sa.text(full_text.COUNT_CHUNKS), totals).scalar_one()
        texts = [full_text.text_row(number, chunk_id, counted) for chunk_id, counted in chunks]
        op.get_bind().execute(sa.text(full_text.ADD_TEXT), texts)


def _heading(row: sa.Row[Any]) -> str:
    path = tuple(json.loads(row.heading))
    return " > ".join((row.title, *(path[1:] if path[:1] == (row.title,) else path)))
