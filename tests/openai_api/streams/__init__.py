"""Tests of answers on their way to a client: how they end, who has left, and many at once."""
