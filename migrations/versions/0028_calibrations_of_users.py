"""Token calibrations of each user: the prompts of one no longer change how those of others are counted."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def _columns() -> list[sa.Column[object]]:
    return [
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("script", sa.String(length=16), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("mean", sa.Double(), nullable=False),
        sa.Column("variance", sa.Double(), nullable=False),
    ]


def upgrade() -> None:
    op.execute("CREATE TABLE earlier_calibrations AS SELECT * FROM token_calibrations")
    op.drop_table("token_calibrations")
    op.create_table(
        "token_calibrations",
        sa.Column("user_id", sa.String(length=32), nullable=False),
        *_columns(),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_token_calibrations_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "model", "script", name=op.f("pk_token_calibrations")),
    )
    # The owner of a server without sign-in keeps what was learned; other users learn it again with a few prompts.
    op.execute(
        "INSERT INTO token_calibrations (user_id, model, script, samples, mean, variance) "
        "SELECT users.id, model, script, samples, mean, variance FROM earlier_calibrations CROSS JOIN users "
        "WHERE users.email = 'owner@localhost'"
    )
    op.drop_table("earlier_calibrations")


def downgrade() -> None:
    op.execute("CREATE TABLE later_calibrations AS SELECT * FROM token_calibrations")
    op.drop_table("token_calibrations")
    op.create_table(
        "token_calibrations",
        *_columns(),
        sa.PrimaryKeyConstraint("model", "script", name=op.f("pk_token_calibrations")),
    )
    op.execute(
        "INSERT INTO token_calibrations (model, script, samples, mean, variance) "
        "SELECT model, script, max(samples), avg(mean), avg(variance) FROM later_calibrations GROUP BY model, script"
    )
    op.drop_table("later_calibrations")
