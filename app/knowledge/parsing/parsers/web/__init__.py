"""Parsers of web pages, and of books made of them."""
