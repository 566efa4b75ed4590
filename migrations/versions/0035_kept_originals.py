"""Originals of versions that are searched until they are replaced count as stored, beside those of newer versions."""

from alembic import op

revision = "0035"
down_revision = "0034"

_KEPT = """COALESCE((SELECT SUM(length(originals.data)) FROM originals
  JOIN documents ON documents.id = originals.document_id
  WHERE documents.project_id = projects.id AND originals.version <> documents.version), 0)"""


def upgrade() -> None:
    op.execute(f"UPDATE projects SET stored_bytes = stored_bytes + {_KEPT}")  # noqa: S608 - constant


def downgrade() -> None:
    op.execute(f"UPDATE projects SET stored_bytes = stored_bytes - {_KEPT}")  # noqa: S608 - constant
