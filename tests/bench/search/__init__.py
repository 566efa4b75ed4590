"""Measurements of search: by project size, among other projects, and on PostgreSQL."""
