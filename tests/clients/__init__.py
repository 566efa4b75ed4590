"""The running server, tested with third-party GraphQL clients."""
