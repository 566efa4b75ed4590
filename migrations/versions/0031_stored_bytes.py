"""Projects say how much they hold, so that a limit is checked without counting it each time."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"

_COUNT = """UPDATE projects SET stored_bytes =
  COALESCE((SELECT SUM(bytes) FROM documents WHERE documents.project_id = projects.id), 0)
  + COALESCE((SELECT SUM(length(text)) FROM chunks WHERE chunks.project_id = projects.id), 0)"""


def upgrade() -> None:
    op.add_column("projects", sa.Column("stored_bytes", sa.BigInteger(), server_default="0", nullable=False))
    op.execute(_COUNT)


def downgrade() -> None:
    op.drop_column("projects", "stored_bytes")
