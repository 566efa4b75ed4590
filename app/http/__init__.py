"""What every HTTP API here shares: strict JSON, bounded bodies, disconnects, errors, origin checks, headers, files."""
