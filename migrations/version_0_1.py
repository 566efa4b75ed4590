"""Bring tables of version 0.1 to the form that migration 0001 makes today.

That migration was changed after version 0.1 without a new number: it was said of a document under which key it was
added, and a row did not say which process works on it.
"""

import sqlalchemy as sa
from alembic import context, op


def complete_tables() -> None:
    """Give tables of version 0.1 what they lack; others are left as they are."""
    if context.is_offline_mode():  # statements are written for what 0001 makes today
        return
    columns = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("documents")}
    if "idempotency_key" not in columns:
        return
    _create_document_keys()
    op.execute(
        "INSERT INTO document_keys (project_id, key, document_id, sha256) "
        "SELECT project_id, idempotency_key, id, sha256 FROM documents WHERE idempotency_key IS NOT NULL"
    )
    with op.batch_alter_table("documents") as batch_op:
        batch_op.drop_constraint("uq_documents_project_id_idempotency_key", type_="unique")
        batch_op.drop_column("idempotency_key")
    for table in ("documents", "messages"):
        op.add_column(table, sa.Column("owner", sa.String(length=200), nullable=True))
        op.add_column(table, sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True))


def _create_document_keys() -> None:
    op.create_table(
        "document_keys",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name=op.f("fk_document_keys_document_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_document_keys_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_document_keys")),
    )
