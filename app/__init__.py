"""Footnote: chat that answers from a project's documents, with footnotes the server has checked."""

__version__ = "0.1.0"
