"""Measure answers to questions with known answers, from the command line."""
