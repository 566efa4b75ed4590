"""Limits of an operation: its size, its cost, and the bounds of every argument."""
