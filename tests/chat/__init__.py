"""Tests of turns, from the question to the end of the answer."""
