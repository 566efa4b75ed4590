"""Shared by the HTTP APIs: strict JSON, bounded bodies, disconnects, errors, origin checks, headers, files."""
