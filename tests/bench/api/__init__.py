"""Measurements of the GraphQL API and of signing in."""
