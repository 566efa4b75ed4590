"""Maintain the database from the command line."""
