"""Tests of the embedded models and of answers that only quote."""
