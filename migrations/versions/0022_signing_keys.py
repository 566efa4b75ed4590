"""The server signs links."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "signing_keys",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_signing_keys"),
    )


def downgrade() -> None:
    op.drop_table("signing_keys")
