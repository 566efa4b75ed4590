"""The database in one SQLite file."""
