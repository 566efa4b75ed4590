"""What every HTTP API here shares: origins and hosts, bodies and their bounds, downloads, static pages."""
