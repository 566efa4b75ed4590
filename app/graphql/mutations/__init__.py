"""Mutations by concept. Each takes one `input` and returns a payload or a typed error."""
