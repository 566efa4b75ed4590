"""Versions of the database, oldest first; `app.database.upgrade` runs what is missing."""
