"""The documents of a project are listed from an index, however many other projects have."""

from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.create_index("ix_documents_project_id_id", "documents", ["project_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_documents_project_id_id", "documents")
