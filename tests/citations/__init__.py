"""Tests of citations and of the judgement of answers."""
