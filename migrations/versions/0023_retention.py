"""Projects say how long their chat sessions are kept."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0023"
down_revision = "0022"

_LIMITED = "SELECT id FROM projects WHERE retention_days IS NOT NULL"


def upgrade() -> None:
    op.add_column("projects", sa.Column("retention_days", sa.Integer(), nullable=True))


def downgrade() -> None:
    losses.refuse({"how long chat sessions of some projects are kept": _LIMITED})
    op.drop_column("projects", "retention_days")
