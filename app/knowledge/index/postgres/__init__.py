"""The indexes in PostgreSQL."""
