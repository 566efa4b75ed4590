"""Durability: answers given again, logs in few bytes, documents that wait for an embedding model."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("messages", sa.Column("replaced_by", sa.String(length=32), nullable=True))
    op.add_column("messages", sa.Column("asked_by", sa.String(length=32), nullable=True))
    op.create_index("ix_messages_reply_to", "messages", ["reply_to"])
    op.create_table(
        "compact_logs",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name=op.f("fk_compact_logs_message_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_compact_logs")),
    )
    op.create_table(
        "paused_vectors",
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_paused_vectors_document_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "position", name=op.f("pk_paused_vectors")),
    )
