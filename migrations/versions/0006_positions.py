"""Positions: messages are in order by a number in their session, whatever the clock did."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0006"
down_revision = "0005"

_DISORDER = (
    "SELECT id FROM (SELECT id, lag(id) OVER (PARTITION BY session_id ORDER BY position) AS earlier FROM messages) "
    "AS ordered WHERE earlier > id"
)


def upgrade() -> None:
    op.add_column("messages", sa.Column("position", sa.Integer(), server_default="0", nullable=False))
    op.execute(
        "UPDATE messages SET position = numbered.place FROM "
        "(SELECT id, row_number() OVER (PARTITION BY session_id ORDER BY id) AS place FROM messages) AS numbered "
        "WHERE numbered.id = messages.id"
    )
    op.drop_index("ix_messages_session_id_id", "messages")
    op.create_index("uq_messages_session_id_position", "messages", ["session_id", "position"], unique=True)


def downgrade() -> None:
    losses.refuse({"the order of chats in which the clock was set back": _DISORDER})
    op.drop_index("uq_messages_session_id_position", "messages")
    op.drop_column("messages", "position")
    op.create_index("ix_messages_session_id_id", "messages", ["session_id", "id"])
