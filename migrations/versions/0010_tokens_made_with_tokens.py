"""Access tokens know the token that they were made with, and end with it."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0010"
down_revision = "0009"

_MADE = "SELECT id FROM access_tokens WHERE made_with IS NOT NULL"


def upgrade() -> None:
    op.add_column("access_tokens", sa.Column("made_with", sa.String(length=32), nullable=True))


def downgrade() -> None:
    losses.refuse({"which access tokens end with another": _MADE})
    op.drop_column("access_tokens", "made_with")
