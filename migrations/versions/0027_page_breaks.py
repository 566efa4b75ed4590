"""Chunks say where in them further pages begin, so that a citation names the page of its quote."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.add_column("chunks", sa.Column("page_breaks", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("chunks", "page_breaks")
