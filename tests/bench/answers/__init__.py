"""Measurements of answers: whole turns, streams, prompts and citations."""
