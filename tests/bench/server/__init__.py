"""Measurements of a server as a whole: starts, rest, memory, and what holds it up."""
