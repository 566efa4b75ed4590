"""Token calibrations: how far the plain estimate is off, by model and script."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(  # kill point: migrate.between
        "token_calibrations",
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("script", sa.String(length=16), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Double(), nullable=False),
        sa.Column("variance", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("model", "script", name=op.f("pk_token_calibrations")),
    )


def downgrade() -> None:
    # They are learnt again from the first answers.
    op.drop_table("token_calibrations")
