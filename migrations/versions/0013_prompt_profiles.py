"""Sessions say for which models their prompts are written."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0013"
down_revision = "0012"

_CHOSEN = "SELECT id FROM chat_sessions WHERE prompt_profile IS NOT NULL"


def upgrade() -> None:
    op.add_column("chat_sessions", sa.Column("prompt_profile", sa.String(16), nullable=True))


def downgrade() -> None:
    losses.refuse({"for which models prompts of sessions are written": _CHOSEN})
    op.drop_column("chat_sessions", "prompt_profile")
