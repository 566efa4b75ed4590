"""Ratings of answers, and which of their sources were opened."""

import sqlalchemy as sa
from alembic import op

from migrations import losses

revision = "0015"
down_revision = "0014"


def _of_answer(table: str) -> list[sa.schema.SchemaItem]:
    """The answer, user and project of a row, which is deleted with any of them."""
    columns = ("message_id", "user_id", "project_id")
    return [
        *(sa.Column(name, sa.String(length=32), nullable=False) for name in columns),
        *(
            sa.ForeignKeyConstraint([name], [parent], name=op.f(f"fk_{table}_{name}"), ondelete="CASCADE")
            for name, parent in zip(columns, ("messages.id", "users.id", "projects.id"), strict=True)
        ),
    ]


def upgrade() -> None:
    op.create_table(
        "answer_ratings",
        *_of_answer("answer_ratings"),
        sa.Column("helpful", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=True),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_answer_ratings")),
    )
    op.create_index("ix_answer_ratings_user_id", "answer_ratings", ["user_id"])
    op.create_index("ix_answer_ratings_project_id_helpful", "answer_ratings", ["project_id", "helpful"])
    op.create_table(
        "citation_openings",
        *_of_answer("citation_openings"),
        sa.Column("citation_index", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("first_opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("message_id", "user_id", "citation_index", name=op.f("pk_citation_openings")),
    )
    op.create_index("ix_citation_openings_user_id", "citation_openings", ["user_id"])
    op.create_index("ix_citation_openings_project_id", "citation_openings", ["project_id"])


def downgrade() -> None:
    losses.refuse(
        {
            "ratings of answers": "SELECT message_id FROM answer_ratings",
            "which sources were opened": "SELECT message_id FROM citation_openings",
        }
    )
    op.drop_table("citation_openings")
    op.drop_table("answer_ratings")
