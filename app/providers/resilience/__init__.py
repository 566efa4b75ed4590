"""Protection against failing model servers: circuit breakers, concurrency, time and size limits."""
