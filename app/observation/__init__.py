"""Logs, metrics and traces, and the records of what happens that they are made from."""
