"""Parsers of web pages and books made of them."""
