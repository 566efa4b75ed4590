"""Tests of chat sessions, messages and answers over GraphQL."""
