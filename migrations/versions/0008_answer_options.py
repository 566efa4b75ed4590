"""Answer options of projects: defaults between the server's and a chat session's."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0008"
down_revision = "0007"

_PROJECTS_WITH_DEFAULTS = "SELECT id FROM projects WHERE CAST(answer_options AS VARCHAR) NOT IN ('null', '{}')"


def upgrade() -> None:
    op.add_column("projects", sa.Column("answer_options", sa.JSON(), nullable=True))


def downgrade() -> None:
    losses.refuse({"the answer defaults of projects": _PROJECTS_WITH_DEFAULTS})
    op.drop_column("projects", "answer_options")
