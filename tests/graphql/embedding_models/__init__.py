"""Tests of a project's embedding model, and of switching to another."""
