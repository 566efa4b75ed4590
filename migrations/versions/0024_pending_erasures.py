"""Answers that are being generated remember which documents are to be erased from them."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "pending_erasures",
        sa.Column("message_id", sa.String(length=32), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("title", sa.String(length=500), nullable=False),
        sa.Column("chunk_ids", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"], ["messages.id"], name="fk_pending_erasures_message_id_messages", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("message_id", "document_id", name="pk_pending_erasures"),
    )


def downgrade() -> None:
    losses.refuse({"quotes that are to be erased": "SELECT message_id FROM pending_erasures"})
    op.drop_table("pending_erasures")
