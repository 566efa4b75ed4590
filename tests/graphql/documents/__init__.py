"""Tests of projects and documents over GraphQL."""
