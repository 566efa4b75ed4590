"""Tests of what a prompt contains, and how its tokens are counted."""
