"""Tests of hybrid search."""
