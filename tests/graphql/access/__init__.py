"""Tests of who may do what over GraphQL."""
