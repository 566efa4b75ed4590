"""The idempotency keys of a document are numbered, so that the oldest can be forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.add_column("document_keys", sa.Column("number", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("document_keys", "number")
