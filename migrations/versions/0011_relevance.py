"""Embedding spaces say what scores mean in their project, and sessions may say otherwise."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0011"
down_revision = "0010"

_WEIGHED = "SELECT id FROM chat_sessions WHERE rag_dense_weight IS NOT NULL"


def upgrade() -> None:
    op.add_column("embedding_spaces", sa.Column("dense_weight", sa.Double(), nullable=True))
    op.add_column("embedding_spaces", sa.Column("threshold", sa.Double(), nullable=True))
    op.add_column("embedding_spaces", sa.Column("measured_chunks", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("chat_sessions", sa.Column("rag_dense_weight", sa.Double(), nullable=True))


def downgrade() -> None:
    losses.refuse({"which sessions weigh words and meaning their own way": _WEIGHED})
    op.drop_column("chat_sessions", "rag_dense_weight")
    # Nothing is lost: they are measured again.
    for column in ("measured_chunks", "threshold", "dense_weight"):
        op.drop_column("embedding_spaces", column)
