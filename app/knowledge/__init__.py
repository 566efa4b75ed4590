"""A project's documents: bytes in, searchable chunks out; a query in, passages out."""
