"""Tests of the parsers, with files of every format."""
