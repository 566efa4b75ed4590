"""Tests of documents on their way into the index."""
