"""Parsers of mail messages."""
