"""Tests of connections and requests, below any API."""
