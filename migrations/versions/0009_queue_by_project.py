"""The queue of documents by project: projects take turns."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.drop_index("ix_documents_status_queued_at", "documents")
    op.create_index("ix_documents_status_project_id_queued_at", "documents", ["status", "project_id", "queued_at"])


def downgrade() -> None:
    op.drop_index("ix_documents_status_project_id_queued_at", "documents")
    op.create_index("ix_documents_status_queued_at", "documents", ["status", "queued_at"])
