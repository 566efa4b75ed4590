"""Tests of the page while servers are away, busy or slow."""
