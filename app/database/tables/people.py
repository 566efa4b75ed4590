"""Tables of users and their access; `models` exports them with the others."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from app.database.base import Base, id_column, now, user_column


class User(Base):
    """A user. The first start creates the local owner.

    Raising `sign_in_generation` ends all sign-ins: those of earlier generations are invalid wherever they are stored.
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
    """The hash of a user's password, in a table of its own so that user objects do not carry it around."""

    __tablename__ = "passwords"
    user_id: Mapped[str] = user_column(primary_key=True)
    password_hash: Mapped[str] = mapped_column(String(500))
    changed_at: Mapped[datetime] = mapped_column(default=now)


class Identity(Base):
    """A user's identity at an identity provider; `subject` is the provider's permanent id for them."""

    __tablename__ = "identities"
    issuer: Mapped[str] = mapped_column(String(500), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[str] = user_column(index=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class AccessToken(Base):
    """A token that a user created for a program. Only its SHA-256 is stored; revoking it is final.

    `made_with` is the id of the token that it was created with, if any; it is revoked with that token.
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
    """A sign-in of a user. It ends when unused for a while (`expires_at`), and at `ends_at` in any case."""

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
    """The token in a setup link: it lets its user in once, within a short time."""

    __tablename__ = "setup_tokens"
    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = user_column(index=True)
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = mapped_column(default=now)


class AuditEvent(Base):
    """A change to accounts or members. Its ids are not foreign keys, so an event outlives what it describes."""

    __tablename__ = "audit_events"
    __table_args__ = (
        Index("ix_audit_events_project_id_id", "project_id", "id"),
        Index("ix_audit_events_subject_id_id", "subject_id", "id"),
        Index("ix_audit_events_actor_id_id", "actor_id", "id"),
    )
    id: Mapped[str] = id_column()
    kind: Mapped[str] = mapped_column(String(40))
    # Who did it, to whom, and in which project.
    actor_id: Mapped[str | None] = mapped_column(String(32))
    subject_id: Mapped[str | None] = mapped_column(String(32))
    project_id: Mapped[str | None] = mapped_column(String(32))
    address: Mapped[str | None] = mapped_column(String(64))
    details: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)


class SigningKey(Base):
    """A secret that this server signs with, made when first needed."""

    __tablename__ = "signing_keys"
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary)


class UsageCount(Base):
    """How much was used under a key in one time window; `bucket` is the window's number since 1970."""

    __tablename__ = "usage_counts"
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    seconds: Mapped[int] = mapped_column(primary_key=True)
    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    # When the window stops counting, in seconds since 1970.
    counts_until: Mapped[int] = mapped_column(BigInteger, index=True)


class ProjectMember(Base):
    """What a user may do in a project. `role`: OWNER, EDITOR, VIEWER."""

    __tablename__ = "project_members"
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[str] = user_column(primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(default=now)
