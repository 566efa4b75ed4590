"""An index finds the blocks of vectors of one embedding space on SQLite, where sqlite-vec reads those of all spaces."""

from alembic import context, op

revision = "0032"
down_revision = "0031"

_TABLES = (
    "SELECT name FROM sqlite_master WHERE name LIKE 'chunk\\_vectors\\_%' ESCAPE '\\' AND sql LIKE 'CREATE VIRTUAL%'"
)


def upgrade() -> None:
    for table in _vector_tables():
        op.execute(f"CREATE INDEX IF NOT EXISTS ix_{table}_chunks_partition00 ON {table}_chunks (partition00)")


def downgrade() -> None:
    for table in _vector_tables():
        op.execute(f"DROP INDEX IF EXISTS ix_{table}_chunks_partition00")


def _vector_tables() -> list[str]:
    """There is one for each length of vectors; PostgreSQL has a single one, with an index.

    Written as SQL, nothing is known of them: then the next space of each length makes the index.
    """
    if context.is_offline_mode() or op.get_bind().dialect.name != "sqlite":
        return []
    return list(op.get_bind().exec_driver_sql(_TABLES).scalars())
