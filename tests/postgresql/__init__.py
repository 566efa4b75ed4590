"""Tests of what is about PostgreSQL alone."""
