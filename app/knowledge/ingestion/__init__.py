"""Ingestion: make queued documents searchable."""
