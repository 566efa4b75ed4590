"""What happens in the server, as values for logs, metrics and traces."""
