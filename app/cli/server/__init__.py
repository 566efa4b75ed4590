"""Serve the APIs from the command line."""
