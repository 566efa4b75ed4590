"""GraphQL output types. `from_model` makes each from a row or a value of a lower layer."""
