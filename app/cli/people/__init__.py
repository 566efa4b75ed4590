"""Manage users, tokens and members from the command line."""
