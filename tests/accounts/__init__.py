"""Tests of accounts: sign-ins, tokens, roles and limits."""
