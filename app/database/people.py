"""Tables of users and their access; `models` exports them with the others."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base, id_column, now, user_column


class User(Base):
    """Somebody who asks. The first start makes the local owner.

    `sign_in_generation` grows when all sign-ins are to end: one of an earlier generation is void, wherever it is kept.
    """

    __tablename__ = "users"
    id: Mapped[str] = id_column()
    email: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str | None] = mapped_column(String(200))
    preferred_model: Mapped[str | None] = mapped_column(String(200))
    disabled_at: Mapped[datetime | None]
    sign_in_generation: Mapped[int] = mapped_column(default=0, server_default="0")
    created_at: Mapped[datetime] = mapped_column(default=now)


class Password(Base):
    """The hash of a user's password: apart from the user, so that what is handed around does not carry it."""

    __tablename__ = "passwords"
    user_id: Mapped[str] = user_column(primary_key=True)
    password_hash: Mapped[str] = mapped_column(String(500))
    changed_at: Mapped[datetime] = mapped_column(default=now)


class Identity(Base):
    """Who a user is at an identity provider; `subject` is that provider's name for them, for ever."""

    __tablename__ = "identities"
    issuer: Mapped[str] = mapped_column(String(500), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[str] = user_column(index=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class AccessToken(Base):
    """A token that a user made for a program. Only its SHA-256 is kept; one that was revoked stays revoked.

    `made_with` is the id of the token that it was made with, if any: it ends with that one.
    """

    __tablename__ = "access_tokens"
    id: Mapped[str] = id_column()
    user_id: Mapped[str] = user_column(index=True)
    label: Mapped[str] = mapped_column(String(200))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    made_with: Mapped[str | None] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class SignIn(Base):
    """Somebody signed in somewhere. It ends when it is not used for a while (`expires_at`), and at `ends_at`."""

    __tablename__ = "sign_ins"
    __table_args__ = (Index("ix_sign_ins_expires_at", "expires_at"),)
    id: Mapped[str] = id_column()
    user_id: Mapped[str] = user_column(index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    generation: Mapped[int]
    address: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    ends_at: Mapped[datetime]


class SetupToken(Base):
    """The token in the link of the first start: it lets one in once, soon."""

    __tablename__ = "setup_tokens"
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = user_column(index=True)
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(default=now)


class AuditEvent(Base):
    """What was done to accounts and members. Ids are bare, so that an event outlives what it tells of."""

    __tablename__ = "audit_events"
    __table_args__ = (
        Index("ix_audit_events_project_id_id", "project_id", "id"),
        Index("ix_audit_events_subject_id_id", "subject_id", "id"),
        Index("ix_audit_events_actor_id_id", "actor_id", "id"),
    )
    id: Mapped[str] = id_column()
    kind: Mapped[str] = mapped_column(String(40))
    # Who did it, about whom, and in which project.
    actor_id: Mapped[str | None] = mapped_column(String(32))
    subject_id: Mapped[str | None] = mapped_column(String(32))
    project_id: Mapped[str | None] = mapped_column(String(32))
    address: Mapped[str | None] = mapped_column(String(64))
    details: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class UsageCount(Base):
    """How much was used under a key in one window of time; `bucket` is the window's number since 1970."""

    __tablename__ = "usage_counts"
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    seconds: Mapped[int] = mapped_column(primary_key=True)
    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    # Until when the window counts, in seconds since 1970.
    counts_until: Mapped[int] = mapped_column(BigInteger, index=True)


class ProjectMember(Base):
    """What a user may do in a project. `role`: OWNER, EDITOR, VIEWER."""

    __tablename__ = "project_members"
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = user_column(primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(default=now)
