"""GraphQL input types, and their conversion into plain values."""
