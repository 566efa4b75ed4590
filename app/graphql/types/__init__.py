"""What a client sees: GraphQL types, each made of a row or a value of the floors below by `from_model`."""
