"""What keeps a failing model server from failing everybody: circuit breaker, concurrency, time and size limits."""
