"""Hybrid search of a project: full text and vectors, their fusion, filters and reranking."""
