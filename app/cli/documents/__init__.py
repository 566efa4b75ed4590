"""Manage documents from the command line."""
