"""Parsers of what office programs save."""
