"""Tests of the schema, its values and its lists."""
