"""Chat sessions can be pinned and archived, and are listed in several orders."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0016"
down_revision = "0015"

_INDEXES = [
    (*of, *by, "id")
    for of in (("project_id", "created_by"), ("project_id", "shared"), ("created_by",))
    for by in ((), ("last_activity_at",), ("title",))
]


def upgrade() -> None:
    for name in ("pinned", "archived"):
        op.add_column("chat_sessions", sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False))
    never = "1970-01-01 00:00:00.000000"
    op.add_column(
        "chat_sessions",
        sa.Column("last_activity_at", sa.DateTime(timezone=True), server_default=never, nullable=False),
    )
    op.execute("UPDATE chat_sessions SET last_activity_at = updated_at")
    op.drop_index("ix_chat_sessions_project_id_id", "chat_sessions")
    for columns in _INDEXES:
        op.create_index(f"ix_chat_sessions_{'_'.join(columns)}", "chat_sessions", list(columns))


def downgrade() -> None:
    losses.refuse(
        {
            "which chat sessions are pinned": "SELECT id FROM chat_sessions WHERE pinned",
            "which chat sessions are archived": "SELECT id FROM chat_sessions WHERE archived",
        }
    )
    for columns in _INDEXES:
        op.drop_index(f"ix_chat_sessions_{'_'.join(columns)}", "chat_sessions")
    op.create_index("ix_chat_sessions_project_id_id", "chat_sessions", ["project_id", "id"])
    for name in ("last_activity_at", "archived", "pinned"):
        op.drop_column("chat_sessions", name)
