"""Tests of documents on the page."""
