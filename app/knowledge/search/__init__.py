"""Hybrid search of one project: both legs, their fusion, filters and reranking."""
