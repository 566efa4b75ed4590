"""Answers know how similar their passages are to the question."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0020"
down_revision = "0019"

_INDEX = "ix_messages_project_id_role_similarity"
_MEASURED = "SELECT id FROM messages WHERE similarity IS NOT NULL"


def upgrade() -> None:
    op.add_column("messages", sa.Column("similarity", sa.Double(), nullable=True))
    op.create_index(_INDEX, "messages", ["project_id", "role", "similarity"])


def downgrade() -> None:
    losses.refuse({"how similar passages are to their questions": _MEASURED})
    op.drop_index(_INDEX, "messages")
    op.drop_column("messages", "similarity")
