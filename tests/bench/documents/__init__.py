"""Measurements of documents: adding, copying and embedding them again."""
