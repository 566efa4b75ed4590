"""Tables of the outbox: events, their pending deliveries, and the process that delivers them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import NEVER_REUSED, Base, RowId, now


class OutboxEvent(Base):
    """An event as it is sent. It has no foreign key to its project, because it may report the project's deletion."""

    __tablename__ = "outbox_events"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    project_id: Mapped[str | None] = mapped_column(String(32))
    event_type: Mapped[str] = mapped_column(String(60))
    body: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now, index=True)


class EventDelivery(Base):
    """An event that a destination has not received yet. Events with the same `order_key` are delivered in order.

    `due_at`: when to try again after the destination refused it; null: now.
    """

    __tablename__ = "event_deliveries"
    __table_args__ = (
        Index("ix_event_deliveries_destination_sequence", "destination", "sequence"),
        Index("ix_event_deliveries_destination_order_key_sequence", "destination", "order_key", "sequence"),
        Index("ix_event_deliveries_event_id", "event_id"),
        NEVER_REUSED,
    )
    sequence: Mapped[int] = mapped_column(RowId, primary_key=True)
    event_id: Mapped[str] = mapped_column(ForeignKey("outbox_events.id", ondelete="CASCADE"))
    destination: Mapped[str] = mapped_column(String(40))
    order_key: Mapped[str] = mapped_column(String(40))
    attempts: Mapped[int] = mapped_column(default=0, server_default="0")
    due_at: Mapped[datetime | None]


class EventRelayLease(Base):
    """The process that delivers events, and its lease (see database/leases). There is one row at most."""

    __tablename__ = "event_relay_leases"
    name: Mapped[str] = mapped_column(String(20), primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(200))
    lease_until: Mapped[datetime | None]
