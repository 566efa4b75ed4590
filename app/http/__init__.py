"""What the HTTP APIs share: strict JSON, bounded bodies, disconnects, errors, origin checks, headers, files."""
