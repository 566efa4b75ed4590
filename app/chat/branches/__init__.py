"""Branches: the tree of a session's messages, and the path through it that is shown."""
