"""Accounts: passwords, tokens, sign-ins, identities, members, audit events and usage counts."""

import sqlalchemy as sa
from alembic import context, op
from alembic.util import CommandError

from migrations import losses

revision = "0005"
down_revision = "0004"


def _id(name: str = "id") -> sa.Column[str]:
    return sa.Column(name, sa.String(length=32), nullable=False)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _hash() -> sa.Column[str]:
    return sa.Column("token_hash", sa.String(length=64), nullable=False)


def _of_user(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{table}_user_id"), ondelete="CASCADE")


def _projects(*, unique_names: bool) -> sa.Table:
    """The table as it is before a change; told and not looked up, so that the change can be written as SQL."""
    names = [sa.UniqueConstraint("name", name="uq_projects_name")] if unique_names else []
    return sa.Table(
        "projects",
        sa.MetaData(),
        _id(),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("local_providers_only", sa.Boolean(), nullable=False),
        sa.Column("no_sources_text", sa.Text(), nullable=True),
        sa.Column("rejected_text", sa.Text(), nullable=True),
        sa.Column("index_version", sa.Integer(), nullable=False),
        _moment("created_at"),
        _moment("updated_at"),
        sa.PrimaryKeyConstraint("id", name="pk_projects"),
        *names,
    )


def upgrade() -> None:
    # Projects of people who do not know of each other may have the same name.
    with op.batch_alter_table("projects", recreate="always", copy_from=_projects(unique_names=True)) as projects:
        projects.drop_constraint("uq_projects_name", type_="unique")
    op.create_index(op.f("ix_projects_name"), "projects", ["name"])  # kill point: migrate.renamed
    op.add_column("users", _moment("disabled_at", nullable=True))
    op.add_column("users", sa.Column("sign_in_generation", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "passwords",
        _id("user_id"),
        sa.Column("password_hash", sa.String(length=500), nullable=False),
        _moment("changed_at"),
        _of_user("passwords"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_passwords")),
    )
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        _id("user_id"),
        _moment("created_at"),
        _of_user("identities"),
        sa.PrimaryKeyConstraint("issuer", "subject", name=op.f("pk_identities")),
    )
    op.create_index(op.f("ix_identities_user_id"), "identities", ["user_id"])
    op.create_table(
        "access_tokens",
        _id(),
        _id("user_id"),
        sa.Column("label", sa.String(length=200), nullable=False),
        _hash(),
        _moment("created_at"),
        _moment("expires_at", nullable=True),
        _moment("last_used_at", nullable=True),
        _moment("revoked_at", nullable=True),
        _of_user("access_tokens"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_access_tokens_token_hash")),
    )
    op.create_index(op.f("ix_access_tokens_user_id"), "access_tokens", ["user_id"])
    op.create_table(
        "sign_ins",
        _id(),
        _id("user_id"),
        _hash(),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=True),
        _moment("created_at"),
        _moment("expires_at"),
        _moment("ends_at"),
        _of_user("sign_ins"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_ins")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_ins_token_hash")),
    )
    op.create_index(op.f("ix_sign_ins_user_id"), "sign_ins", ["user_id"])
    op.create_index("ix_sign_ins_expires_at", "sign_ins", ["expires_at"])
    op.create_table(
        "setup_tokens",
        _hash(),
        _id("user_id"),
        _moment("expires_at"),
        _moment("created_at"),
        _of_user("setup_tokens"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_setup_tokens")),
    )
    op.create_index(op.f("ix_setup_tokens_user_id"), "setup_tokens", ["user_id"])
    op.create_table(
        "audit_events",
        _id(),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("actor_id", sa.String(length=32), nullable=True),
        sa.Column("subject_id", sa.String(length=32), nullable=True),
        sa.Column("project_id", sa.String(length=32), nullable=True),
        sa.Column("address", sa.String(length=64), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        _moment("created_at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_events")),
    )
    for column in ("project_id", "subject_id", "actor_id"):
        op.create_index(f"ix_audit_events_{column}_id", "audit_events", [column, "id"])
    op.create_table(
        "usage_counts",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("bucket", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("counts_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", "seconds", "bucket", name=op.f("pk_usage_counts")),
    )
    op.create_index(op.f("ix_usage_counts_counts_until"), "usage_counts", ["counts_until"])
    op.create_table(
        "project_members",
        _id("project_id"),
        _id("user_id"),
        sa.Column("role", sa.String(length=16), nullable=False),
        _moment("created_at"),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_members_project_id"), ondelete="CASCADE"
        ),
        _of_user("project_members"),
        sa.PrimaryKeyConstraint("project_id", "user_id", name=op.f("pk_project_members")),
    )
    op.create_index(op.f("ix_project_members_user_id"), "project_members", ["user_id"])
    # Before there were roles, whoever was there could do everything.
    op.execute(  # kill point: migrate.members
        "INSERT INTO project_members (project_id, user_id, role, created_at) "
        "SELECT projects.id, users.id, 'OWNER', projects.created_at FROM projects CROSS JOIN users"
    )


def downgrade() -> None:
    losses.refuse(
        {
            "that users are disabled": "SELECT id FROM users WHERE disabled_at IS NOT NULL",
            "passwords": "SELECT user_id FROM passwords",
            "identities": "SELECT user_id FROM identities",
            "access tokens": "SELECT id FROM access_tokens",
            "the audit trail": "SELECT id FROM audit_events",
            "who may do what in which project": "SELECT project_id FROM project_members WHERE role <> 'OWNER' UNION "
            "SELECT projects.id FROM projects CROSS JOIN users LEFT JOIN project_members AS member "
            "ON member.project_id = projects.id AND member.user_id = users.id WHERE member.role IS NULL",
        }
    )
    if not context.is_offline_mode() and losses.is_found("SELECT name FROM projects GROUP BY name HAVING count(*) > 1"):
        raise CommandError("Several projects have the same name, which 0004 does not allow: rename them first.")
    # Who is signed in signs in again; what limits have counted is soon forgotten anyway.
    for table in (
        *("project_members", "usage_counts", "audit_events", "setup_tokens"),
        *("sign_ins", "access_tokens", "identities", "passwords"),
    ):
        op.drop_table(table)
    op.drop_column("users", "sign_in_generation")
    op.drop_column("users", "disabled_at")
    op.drop_index(op.f("ix_projects_name"), "projects")
    with op.batch_alter_table("projects", recreate="always", copy_from=_projects(unique_names=False)) as projects:
        projects.create_unique_constraint("uq_projects_name", ["name"])
