"""Questions know whether their sender named a place for them."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0021"
down_revision = "0020"

_PLACED = "SELECT id FROM messages WHERE placed"


def upgrade() -> None:
    op.add_column("messages", sa.Column("placed", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    losses.refuse({"which questions were sent to a place of their own": _PLACED})
    op.drop_column("messages", "placed")
