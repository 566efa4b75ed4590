"""A parser for each format, and what they share."""
