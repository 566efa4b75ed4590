"""Events are written to an outbox; answers keep the name of the model that they were asked of."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0026"
down_revision = "0025"

_UNDELIVERED = "SELECT sequence FROM event_deliveries"


def upgrade() -> None:
    op.add_column("messages", sa.Column("model", sa.String(length=200), nullable=True))  # kill point: migrate.later
    op.create_table(
        "outbox_events",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("project_id", sa.String(length=32), nullable=True),
        sa.Column("event_type", sa.String(length=60), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox_events"),
    )
    op.create_index("ix_outbox_events_created_at", "outbox_events", ["created_at"])
    op.create_table(
        "event_deliveries",
        sa.Column("sequence", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("event_id", sa.String(length=32), nullable=False),
        sa.Column("destination", sa.String(length=40), nullable=False),
        sa.Column("order_key", sa.String(length=40), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"], ["outbox_events.id"], name="fk_event_deliveries_event_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("sequence", name="pk_event_deliveries"),
        sqlite_autoincrement=True,
    )
    for columns in (["destination", "sequence"], ["destination", "order_key", "sequence"], ["event_id"]):
        op.create_index(f"ix_event_deliveries_{'_'.join(columns)}", "event_deliveries", columns)
    op.create_table(
        "event_relay_leases",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("owner", sa.String(length=200), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name="pk_event_relay_leases"),
    )


def downgrade() -> None:
    losses.refuse({"events that were not delivered yet": _UNDELIVERED})
    for table in ("event_relay_leases", "event_deliveries", "outbox_events"):
        op.drop_table(table)
    op.drop_column("messages", "model")
