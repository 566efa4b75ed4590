"""Projects are marked as deleted before their content is."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.add_column("projects", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_projects_deleted_at", "projects", ["deleted_at"])


def downgrade() -> None:
    losses.refuse({"projects that are being deleted": "SELECT id FROM projects WHERE deleted_at IS NOT NULL"})
    op.drop_index("ix_projects_deleted_at", "projects")
    op.drop_column("projects", "deleted_at")
