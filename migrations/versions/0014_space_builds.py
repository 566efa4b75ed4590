"""Embedding spaces are built in the background, and their vectors removed in steps."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0014"
down_revision = "0013"

_UNFINISHED = "SELECT id FROM embedding_spaces WHERE state <> 'ACTIVE' AND built_to > 0"


def upgrade() -> None:
    op.add_column("embedding_spaces", sa.Column("owner", sa.String(length=200), nullable=True))
    op.add_column("embedding_spaces", sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("embedding_spaces", sa.Column("built_to", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("embedding_spaces", sa.Column("problem", sa.Text(), nullable=True))


def downgrade() -> None:
    losses.refuse({"the vectors of embedding spaces that are not searched": _UNFINISHED})
    for column in ("problem", "built_to", "lease_until", "owner"):
        op.drop_column("embedding_spaces", column)
