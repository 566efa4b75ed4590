"""GraphQL types that clients read. `from_model` makes each from a row or a value of a lower layer."""
