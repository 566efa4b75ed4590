"""Parsers of office files."""
