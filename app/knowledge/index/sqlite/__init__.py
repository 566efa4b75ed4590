"""The indexes in SQLite."""
