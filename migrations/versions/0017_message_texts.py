"""The full text of messages. Those that exist are added in the background."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    for table, column, parent, kind in (
        ("message_text_users", "user_id", "users.id", sa.Integer()),
        ("message_text_rows", "message_id", "messages.id", sa.BigInteger().with_variant(sa.Integer(), "sqlite")),
    ):
        op.create_table(
            table,
            sa.Column("number", kind, nullable=False),
            sa.Column(column, sa.String(length=32), nullable=False),
            sa.ForeignKeyConstraint([column], [parent], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE"),
            sa.PrimaryKeyConstraint("number", name=op.f(f"pk_{table}")),
            sa.UniqueConstraint(column, name=op.f(f"uq_{table}_{column}")),
            sqlite_autoincrement=True,
        )
    op.execute(
        "CREATE VIRTUAL TABLE message_texts USING fts5(terms, content='', contentless_delete=1, detail=none, "
        "tokenize='ascii')"
    )
    # Messages are deleted with their session, project or user.
    op.execute(
        "CREATE TRIGGER message_text_rows_deleted AFTER DELETE ON message_text_rows "
        "BEGIN DELETE FROM message_texts WHERE rowid = old.number; END"
    )
    op.add_column("messages", sa.Column("searchable", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index("ix_messages_unsearchable", "messages", ["id"], sqlite_where=sa.text("NOT searchable"))


def downgrade() -> None:
    op.drop_index("ix_messages_unsearchable", "messages")
    op.drop_column("messages", "searchable")
    op.execute("DROP TRIGGER message_text_rows_deleted")
    for table in ("message_texts", "message_text_rows", "message_text_users"):
        op.drop_table(table)
