"""Places of files leave the table of idempotency keys, and rows that refer to others are found by an index."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0029"
down_revision = "0028"

_LONG_PLACES = "SELECT place FROM document_places WHERE length(place) > 186"  # with the prefix, a key has 200 at most


def upgrade() -> None:
    op.create_table(
        "document_places",
        sa.Column("project_id", sa.String(length=32), nullable=False),
        sa.Column("place", sa.String(length=2000), nullable=False),
        sa.Column("document_id", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name="fk_document_places_project_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_document_places_document_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "place", name="pk_document_places"),
    )
    # Where a path was too long for a key, its checksum was kept. It cannot be compared with the path, which has room
    # now; a document without a place is found by its name.
    op.execute(
        "INSERT INTO document_places (project_id, place, document_id) "
        "SELECT project_id, substr(key, 15), document_id FROM document_keys "
        "WHERE substr(key, 1, 14) = 'footnote-file:' AND key NOT LIKE '%\\:sha256\\:%'"
    )
    op.execute("DELETE FROM document_keys WHERE substr(key, 1, 14) = 'footnote-file:'")
    op.create_index("ix_document_places_document_id", "document_places", ["document_id"])
    op.create_index("ix_document_keys_document_id", "document_keys", ["document_id"])
    op.create_index("ix_memories_user_id", "memories", ["user_id"])


def downgrade() -> None:
    losses.refuse({"where files with long paths are": _LONG_PLACES})
    op.drop_index("ix_memories_user_id", "memories")
    op.drop_index("ix_document_keys_document_id", "document_keys")
    # Nobody compares the checksum of a place.
    op.execute(
        "INSERT INTO document_keys (project_id, key, document_id, sha256) "
        "SELECT project_id, 'footnote-file:' || place, document_id, '' FROM document_places WHERE length(place) <= 186"
    )
    op.drop_table("document_places")
