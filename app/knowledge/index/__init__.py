"""The full-text and vector index of chunks."""
