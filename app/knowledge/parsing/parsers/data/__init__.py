"""Parsers of tables and data in text formats."""
