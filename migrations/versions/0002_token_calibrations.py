"""Placeholder: the tables of this revision come with another change."""

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Nothing here."""
