"""Sessions say by a filter which documents are searched."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0018"
down_revision = "0017"

_FILTERED = "SELECT id FROM chat_sessions WHERE document_filter IS NOT NULL AND document_filter <> 'null'"


def upgrade() -> None:
    op.add_column("chat_sessions", sa.Column("document_filter", sa.JSON(), nullable=True))


def downgrade() -> None:
    losses.refuse({"which documents are searched in sessions with a filter": _FILTERED})
    op.drop_column("chat_sessions", "document_filter")
