"""Memories: facts kept about a user in a project."""

import sqlalchemy as sa
from alembic import op

from migrations import losses, version_0_1

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    version_0_1.complete_tables()
    op.create_table(
        "memories",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.String(length=32), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("importance", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_memories_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memories_user_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
    )
    # crash guard: migrate.first
    op.create_index("ix_memories_project_id_user_id", "memories", ["project_id", "user_id"])


def downgrade() -> None:
    losses.refuse({"memories": "SELECT id FROM memories"})
    op.drop_table("memories")
