"""Branches: every message knows the one before it, which of its alternatives is current, and whether it is shown."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0019"
down_revision = "0018"

# These stay as they are.
_KEPT = (
    "id, project_id, session_id, position, role, content, status, asked_by, owner, lease_until, idempotency_key, "
    "overrides, outcome, finish_reason, reasoning, search_query, citations, confidence, notices, budget, usage, "
    "failure, searchable, created_at, completed_at"
)
# Of several answers to a question, the last complete one was in the history; and a question followed what was before.
_LINKED = f"""
INSERT INTO messages_new ({_KEPT}, previous_id, current, shown)
WITH ranked AS (
  SELECT id, session_id, position, row_number() OVER (
    PARTITION BY reply_to IS NULL, coalesce(reply_to, id)
    ORDER BY replaced_by IS NOT NULL, status <> 'COMPLETED', position DESC
  ) = 1 AS current FROM messages
), path AS (
  SELECT id, lag(id) OVER (PARTITION BY session_id ORDER BY position) AS earlier FROM ranked WHERE current
)
SELECT {", ".join(f"messages.{column}" for column in _KEPT.split(", "))},
  coalesce(reply_to, path.earlier), ranked.current, ranked.current
FROM messages JOIN ranked ON ranked.id = messages.id LEFT JOIN path ON path.id = messages.id ORDER BY messages.rowid
"""  # noqa: S608
# The version before knew of one path only, and of the answer that had replaced another.
_UNLINKED = f"""
INSERT INTO messages_new ({_KEPT}, reply_to, replaced_by)
SELECT {_KEPT}, CASE WHEN role = 'ASSISTANT' THEN previous_id END, (
  SELECT other.id FROM messages AS other WHERE other.previous_id = messages.previous_id AND other.current
    AND messages.role = 'ASSISTANT' AND NOT messages.current
    AND (messages.status = 'COMPLETED' OR (other.status = 'COMPLETED' AND messages.position < other.position))
) FROM messages ORDER BY rowid
"""  # noqa: S608
_HIDDEN = "SELECT id FROM messages WHERE role <> 'ASSISTANT' AND NOT shown"
_CHOSEN = (
    "SELECT other.id FROM messages AS other JOIN messages AS chosen ON chosen.previous_id = other.previous_id "
    "WHERE chosen.current AND other.role = 'ASSISTANT' AND other.status = 'COMPLETED' "
    "AND (chosen.status <> 'COMPLETED' OR other.position > chosen.position)"
)


def upgrade() -> None:
    # SQLite cascades through at most 1,000 rows, one after another, and a conversation may be longer.
    _create_table(
        sa.Column("previous_id", sa.String(length=32), nullable=True),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["previous_id"], ["messages.id"], name="fk_messages_previous_id"),
    )
    op.execute(_LINKED)
    _rename_table()
    op.create_index("ix_messages_previous_id", "messages", ["previous_id"])
    current, shown, first = sa.text("current = 1"), sa.text("shown = 1"), sa.text("current = 1 AND previous_id IS NULL")
    op.create_index("uq_messages_current", "messages", ["previous_id"], unique=True, sqlite_where=current)
    op.create_index("uq_messages_current_first", "messages", ["session_id"], unique=True, sqlite_where=first)
    op.create_index("ix_messages_shown", "messages", ["session_id", "position"], sqlite_where=shown)


def downgrade() -> None:
    losses.refuse({"branches of conversations": _HIDDEN, "which of several answers was chosen": _CHOSEN})
    hidden = f"SELECT id FROM messages WHERE id IN ({_HIDDEN}) OR previous_id IN ({_HIDDEN})"  # noqa: S608
    for table in ("answer_events", "compact_logs", "answer_ratings", "citation_openings", "message_text_rows"):
        op.execute(f"DELETE FROM {table} WHERE message_id IN ({hidden})")  # noqa: S608
    op.execute(f"DELETE FROM messages WHERE id IN ({hidden})")  # noqa: S608
    _create_table(
        sa.Column("reply_to", sa.String(length=32), nullable=True),
        sa.Column("replaced_by", sa.String(length=32), nullable=True),
        sa.ForeignKeyConstraint(["reply_to"], ["messages.id"], name="fk_messages_reply_to", ondelete="CASCADE"),
    )
    op.execute(_UNLINKED)
    _rename_table()
    op.create_index("ix_messages_reply_to", "messages", ["reply_to"])


def _create_table(*links: sa.schema.SchemaItem) -> None:
    """The messages under another name, with these columns between the short ones and the long ones."""
    op.create_table(
        "messages_new",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), server_default="0", nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        *links,
        sa.Column("searchable", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("asked_by", sa.String(length=32), nullable=True),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("overrides", sa.JSON(), nullable=True),
        sa.Column("finish_reason", sa.String(length=16), nullable=True),
        sa.Column("reasoning", sa.Text(), nullable=True),
        sa.Column("search_query", sa.Text(), nullable=True),
        sa.Column("citations", sa.JSON(), nullable=True),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("notices", sa.JSON(), nullable=True),
        sa.Column("budget", sa.JSON(), nullable=True),
        sa.Column("usage", sa.JSON(), nullable=True),
        sa.Column("failure", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"], name="fk_messages_project_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["chat_sessions.id"], name="fk_messages_session_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sa.UniqueConstraint("session_id", "idempotency_key", name="uq_messages_session_id_idempotency_key"),
    )


def _rename_table() -> None:
    op.drop_table("messages")
    op.rename_table("messages_new", "messages")
    op.create_index("uq_messages_session_id_position", "messages", ["session_id", "position"], unique=True)
    op.create_index("ix_messages_status", "messages", ["status"])
    op.create_index("ix_messages_unsearchable", "messages", ["id"], sqlite_where=sa.text("NOT searchable"))
