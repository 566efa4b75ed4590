"""The database in PostgreSQL, with the extension pgvector."""
