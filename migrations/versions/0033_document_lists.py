"""Documents are listed, and their changes found, without reading all those of the project; projects without a sort."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"

_DOCUMENTS = [("project_id", *by, "id") for by in ((), ("updated_at",), ("title",))]
_DELETED = sa.text("deleted_at IS NOT NULL")


def upgrade() -> None:
    for columns in _DOCUMENTS:
        op.create_index(f"ix_documents_{'_'.join(columns)}", "documents", list(columns))
    op.drop_index("ix_projects_deleted_at", "projects")
    op.create_index("ix_projects_deleted", "projects", ["deleted_at"], sqlite_where=_DELETED, postgresql_where=_DELETED)


def downgrade() -> None:
    op.drop_index("ix_projects_deleted", "projects")
    op.create_index("ix_projects_deleted_at", "projects", ["deleted_at"])
    for columns in _DOCUMENTS:
        op.drop_index(f"ix_documents_{'_'.join(columns)}", "documents")
