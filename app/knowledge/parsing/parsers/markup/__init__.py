"""Parsers of lightweight markup languages."""
