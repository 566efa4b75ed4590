"""Mutations by concept. Each takes one `input` and returns a payload or a typed error."""

import strawberry

INPUT = strawberry.argument(description="Input of the mutation.")
"""How the schema describes the argument of every mutation."""
