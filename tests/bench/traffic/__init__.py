"""Clients that keep servers busy, and models that answer them."""
