"""Answers know how likely they are right."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0012"
down_revision = "0011"

_CONFIDENT = "SELECT id FROM messages WHERE confidence IS NOT NULL"


def upgrade() -> None:
    op.add_column("messages", sa.Column("confidence", sa.Double(), nullable=True))


def downgrade() -> None:
    losses.refuse({"how likely answers are right": _CONFIDENT})
    op.drop_column("messages", "confidence")
