"""Projects, the tenants of a server."""
